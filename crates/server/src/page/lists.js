// Lists of turns, the best line, the game and the examples.

import { examplePath } from "./chart.js";
import { text } from "./picture.js";
import { describe, name, plies, sign, worth } from "./words.js";

const GROUPS = [["win", "Winning"], ["draw", "Drawing"], ["loss", "Losing"]];
/** Turns of a group shown before the rest is folded. */
const OPEN = 6;

/** Lists every turn by value, best first. */
export function showTurns(root, at, turns, { play, point }) {
  root.replaceChildren();
  for (const [value, title] of GROUPS) {
    const group = turns.filter((turn) => turn.value === value);
    if (!group.length) continue;
    root.append(text("h4", value, `${title} (${group.length})`));
    const shown = (turn) => {
      const button = entry("turn", [[`sign ${value}`, sign(turn)], ["what", describe(at, turn)], ["worth", worth(turn)]]);
      button.dataset.move = turn.move;
      button.addEventListener("click", () => play(turn));
      for (const event of ["mouseenter", "focus"]) button.addEventListener(event, () => point(turn));
      for (const event of ["mouseleave", "blur"]) button.addEventListener(event, () => point(null));
      return item(button);
    };
    root.append(list(group.slice(0, OPEN).map(shown)));
    if (group.length <= OPEN) continue;
    const more = folded(`${group.length - OPEN} more`);
    more.addEventListener("toggle", () => more.append(list(group.slice(OPEN).map(shown))), { once: true });
    root.append(more);
  }
  if (!root.children.length) root.append(text("p", "note", "No turns to show."));
}

/** Lists the best line, of which `current` turns have been played; a note explains cycles. */
export function showLine(root, note, line, current, go) {
  const steps = line?.turns ?? [];
  // A line may have a thousand turns.
  if (root.line !== line) showPairs(root, steps.map((turn, number) => ({ at: line.places[number], words: describe(line.places[number], turn), kind: "" })), (number) => go(number + 1));
  root.line = line;
  [...root.children].forEach(({ firstElementChild: button }, number) => {
    button.classList.toggle("played", number < current);
    if (number + 1 === current) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  });
  follow(root);
  const again = line?.cycle ? `after turn ${line.cycle}` : "at the start";
  const cycle = line && line.cycle !== null;
  note.textContent = cycle ? `This is the position ${again} again: the line repeats, and the game is a draw.` : (line?.why ?? "No line to show.");
  note.hidden = !cycle && steps.length > 0;
  note.classList.toggle("cycle", cycle);
}

/** Lists the turns of the game, with a note on each of the visitor's. */
export function showGame(root, record, go) {
  const steps = record.map(({ at, who, words, note, kind, current }) => ({ at, who, words, remark: note && [kind, note], kind: "", current }));
  showPairs(root, steps, go, "Explore the position after this turn");
}

function showPairs(root, steps, go, title = "") {
  const items = steps.map(({ at, who, words, remark, kind, current }, number) => {
    const button = entry(`step${kind}`, [["number", `${number + 1}.`], ["who", who ?? name(at, at.side)], ["what", words]]);
    if (remark) button.lastElementChild.append(text("span", `remark ${remark[0]}`, remark[1]));
    if (title) button.title = title;
    if (current) button.setAttribute("aria-current", "step");
    button.addEventListener("click", () => go(number));
    const place = item(button);
    place.className = `side${at.side}${at.side ? " second" : ""}`;
    return place;
  });
  root.replaceChildren(...items);
  follow(root);
}

/** Scrolls a list to its current entry. */
function follow(root) {
  const here = root.querySelector("[aria-current]") ?? root.firstElementChild;
  if (here) root.scrollTop = Math.max(0, here.offsetTop - root.offsetTop - root.clientHeight / 2);
}

/** Lists curated examples and the longest game of each board, which `find` looks up on a click. */
export function showExamples(root, groups, tables, { open, find }) {
  const longest = (game, title) => {
    const found = tables.filter((table) => table.game === game && table.longest);
    return { title, examples: found.map(longestGame) };
  };
  const all = [...groups, longest("strip", "Longest games on strips"), longest("pitch", "Longest games on pitches")];
  const filled = all.filter((group) => group.examples.length);
  root.replaceChildren(...filled.map(({ title, examples }, number) => {
    const items = examples.map((example) => {
      const button = entry("example", [["board", example.position ?? example.size], ["what", example.text]]);
      if (example.position) button.dataset.position = example.position;
      else button.dataset.boards = example.boards;
      button.addEventListener("click", () => (example.position ? open(example.position) : find(example.path)));
      return item(button);
    });
    const box = folded(title, list(items));
    box.open = number === 0;
    return box;
  }));
}

function longestGame({ game, boards, longest }) {
  const size = game === "strip" ? `${boards} squares` : boards.replace("x", " × ");
  return { size, boards, path: examplePath(boards, longest), text: `the longest game, ${plies(longest)}` };
}

function folded(title, ...content) {
  const box = document.createElement("details");
  box.append(text("summary", "", title), ...content);
  return box;
}

function list(items) {
  const found = text("ul", "list", "");
  found.append(...items);
  return found;
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
