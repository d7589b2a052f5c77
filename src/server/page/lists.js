// The lists: every turn of the position, the best line, the examples, the tables.

import { examplePath } from "./chart.js";
import { describe, name, sign, turns as counted, worth } from "./words.js";

const GROUPS = [["win", "Winning"], ["draw", "Drawing"], ["loss", "Losing"]];
/** Turns of a group that are not folded. */
const OPEN = 6;

/** Every turn, by what it is worth, best first. */
export function showTurns(root, at, turns, { play, point }) {
  root.replaceChildren();
  for (const [value, title] of GROUPS) {
    const group = turns.filter((turn) => turn.value === value);
    if (!group.length) continue;
    root.append(text("h4", value, `${title} (${group.length})`));
    const items = group.map((turn) => {
      const button = entry("turn", [["sign " + value, sign(turn)], ["what", describe(at, turn)], ["worth", worth(turn)]]);
      button.dataset.move = turn.move;
      button.addEventListener("click", () => play(turn));
      for (const event of ["mouseenter", "focus"]) button.addEventListener(event, () => point(turn));
      for (const event of ["mouseleave", "blur"]) button.addEventListener(event, () => point(null));
      return item(button);
    });
    root.append(list(items.slice(0, OPEN)));
    if (items.length > OPEN) root.append(folded(`${items.length - OPEN} more`, list(items.slice(OPEN))));
  }
  if (!turns.length) root.append(text("p", "note", "No turns to show."));
}

/** The best line; `current` turns of it are played. */
export function showLine(root, line, current, go) {
  root.replaceChildren();
  if (!line?.turns.length) {
    root.append(item(text("p", "note", line?.why ?? "No line to show.")));
    return;
  }
  line.turns.forEach((turn, number) => {
    const before = line.places[number];
    const button = entry(`step${number < current ? " played" : ""}`, [
      ["number", `${number + 1}.`],
      ["who", name(before, before.side)],
      ["what", describe(before, turn)],
    ]);
    if (number + 1 === current) button.setAttribute("aria-current", "step");
    button.addEventListener("click", () => go(number + 1));
    root.append(item(button));
  });
  if (line.cycle !== null) {
    const again = line.cycle ? `after turn ${line.cycle}` : "at the beginning";
    root.append(item(text("p", "note cycle", `Now the position is the one ${again} again: so it goes round, and nobody wins.`)));
  }
  const here = root.querySelector("[aria-current]") ?? root.firstElementChild;
  root.scrollTop = Math.max(0, here.offsetTop - root.offsetTop - root.clientHeight / 2);
}

/** The turns played in this game, with what the visitor's were worth. */
export function showGame(root, record, go) {
  root.replaceChildren(
    ...record.map((turn, number) => {
      const parts = [["number", `${number + 1}.`], ["who", turn.who], ["what", turn.words]];
      if (turn.note) parts.push([`note ${turn.kind}`, turn.note]);
      const button = entry("step", parts);
      button.title = "Explore the position before this turn";
      button.addEventListener("click", () => go(number));
      return item(button);
    }),
  );
}

/** The curated examples, and the longest win of each board, which `find` looks up when it is chosen. */
export function showExamples(root, groups, tables, { open, find }) {
  const longest = (game, title) => {
    const found = tables.filter((table) => table.game === game && table.longest_win);
    return { title, examples: found.map(longestWin) };
  };
  const all = [...groups, longest("strip", "Longest wins on strips"), longest("pitch", "Longest wins on pitches")];
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

/** The address of a position with the longest win of a board. */
const longestPath = (table) => examplePath(table.boards, table.longest_win);

function longestWin(table) {
  const size = table.game === "strip" ? `${table.boards} squares` : table.boards.replace("x", " × ");
  return { size, boards: table.boards, path: longestPath(table), text: `a win in ${counted(table.longest_win)}, none is longer` };
}

/** A row for each length and each pitch: counts, longest win, chart, download. Damaged tables come first, with the error. */
export function showTables({ rows: root, problem }, { tables, obstruction_boards: boards }, { chart, find }) {
  const rows = tables.map((table) => {
    const size = table.boards.replace("x", " × ");
    if (table.error) return row([size, ["damaged", table.error]]);
    const counts = [table.wins, table.losses, table.draws].map(round);
    const longest = table.longest_win === null ? "" : small(`${table.longest_win}`, () => find(longestPath(table)));
    return row([size, ...counts, longest, small("Chart", () => chart(table.boards)), download(table.file)]);
  });
  if (boards) rows.push(row([`Obstruction: ${boards} boards`, "", "", "", "", "", download("obstruction.phut")]));
  root.replaceChildren(...rows);
  const bad = tables.filter((table) => table.error);
  problem.hidden = !bad.length;
  problem.textContent = bad.map((table) => `The table of ${table.boards} cannot be used: ${table.error}`).join(" ");
}

function small(words, act) {
  const button = text("button", "small", words);
  button.type = "button";
  button.addEventListener("click", act);
  return button;
}

/** '3.6 million' and not sixteen digits. */
function round(count) {
  const digits = `${count}`;
  if (digits.length <= 7) return Number(digits).toLocaleString("en");
  if (digits.length <= 15) return new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(count);
  return `${digits[0]}.${digits.slice(1, 3)}·10^${digits.length - 1}`;
}

function download(file) {
  const link = text("a", "", file);
  link.href = `tables/${file}`;
  link.download = file;
  return link;
}

function row(cells) {
  const line = document.createElement("tr");
  cells.forEach((content, number) => {
    const [kind, words] = Array.isArray(content) ? content : ["", content];
    const box = text(number ? "td" : "th", kind, "");
    if (!number) box.scope = "row";
    if (kind === "damaged") box.colSpan = 6;
    box.append(words);
    line.append(box);
  });
  return line;
}

function folded(title, content) {
  const box = document.createElement("details");
  box.append(text("summary", "", title), content);
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

function text(tag, kind, words) {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  element.textContent = words;
  return element;
}

