// The lists: every turn of the position, the best line, the examples.

import { describe, name, plain, plies, sign } from "./words.js";
import { other } from "./position.js";

/** Every turn, best first. */
export function showMoves(root, answer, play) {
  root.replaceChildren(
    ...(answer?.moves ?? []).map((turn) => {
      const button = entry(turn.value, [
        ["move", turn.move],
        ["what", describe(turn)],
        ["worth", plain(turn)],
      ]);
      button.dataset.move = turn.move;
      button.addEventListener("click", () => play(turn));
      return item(button);
    }),
  );
  if (!answer) root.append(note("No turns to show."));
}

/** The best line; `current` turns of it are played. */
export function showLine(root, line, current, go) {
  root.replaceChildren();
  if (!line || line.turns.length === 0) {
    root.append(note(line?.why ?? "No line to show."));
    return;
  }
  let mover = line.start.side;
  line.turns.forEach((turn, number) => {
    const button = entry(`step${number < current ? " played" : ""}`, [
      ["number", `${number + 1}.`],
      ["who", name(mover)],
      ["move", turn.move],
      ["board", turn.position.split(" ")[0]],
    ]);
    if (number + 1 === current) button.setAttribute("aria-current", "step");
    button.addEventListener("click", () => go(number + 1));
    root.append(item(button));
    mover = other(mover);
  });
  const here = root.querySelector("[aria-current]") ?? root.firstElementChild;
  root.scrollTop = Math.max(0, here.offsetTop - root.offsetTop - root.clientHeight / 2);
}

/** The curated examples, and the longest win of each length. */
export function showExamples(root, groups, tables, open) {
  const longest = tables.filter((table) => table.game === "strip" && table.longest_win_example);
  const all = [...groups, { title: "Longest wins", examples: longest.map(longestWin) }];
  root.replaceChildren(...all.filter((group) => group.examples.length).map((group, number) => section(group, number === 0, open)));
}

function longestWin(strip) {
  return {
    position: strip.longest_win_example,
    text: `${strip.boards} squares: a win in ${plies(strip.longest_win)}, none is longer`,
  };
}

function section({ title, examples }, unfolded, open) {
  const box = document.createElement("details");
  box.open = unfolded;
  box.append(text("summary", "", title));
  const list = text("ul", "list", "");
  for (const example of examples) {
    const button = entry("example", [
      ["board", example.position],
      ["what", example.text],
    ]);
    button.dataset.position = example.position;
    button.addEventListener("click", () => open(example.position));
    list.append(item(button));
  }
  box.append(list);
  return box;
}

function entry(kind, parts) {
  const button = text("button", `entry ${kind}`, "");
  button.type = "button";
  button.append(...parts.map(([part, words]) => text("span", part, words)));
  return button;
}

function item(content) {
  const li = document.createElement("li");
  li.append(content);
  return li;
}

function note(words) {
  return item(text("p", "note", words));
}

function text(tag, kind, words) {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  element.textContent = words;
  return element;
}
