// The longest games, and every board with its counts, chart and file.

import { ask } from "./ask.js";
import { barChart, examplePath, legend, longestGames, positions } from "./chart.js";
import { text } from "./picture.js";
import { exact, rounded } from "./words.js";

const HEADS = ["Board", "Won", "Lost", "Drawn", "Longest game", "Details", "File"];
const KINDS = { all: "All", strip: "Strips", pitch: "Pitches", obstruction: "Obstruction", directional: "Directional" };
const $ = (id) => document.getElementById(id);

/** Opens the position that the server returns for an API path. */
async function find(path) {
  await told(async () => {
    const { position } = await ask(path);
    location.href = `./?mode=explore&position=${encodeURIComponent(position)}`;
  });
}

/** Shows more about a board below its row, or removes it. */
async function details(table, under) {
  if (under.nextElementSibling?.className === "charted") return under.nextElementSibling.remove();
  const box = text("td", "", "Counting …");
  box.colSpan = HEADS.length;
  const line = text("tr", "charted", "");
  line.append(box);
  under.after(line);
  await told(async () => box.replaceChildren(...(await (table.stored ? nimbers() : counts(table)))));
  if (!box.firstElementChild) line.remove();
}

/** Returns the exact counts, the file and a chart of a table. */
async function counts(table) {
  const words = text("p", "exact", `${exact(table.positions)} positions: ${exact(table.wins)} won, ${exact(table.losses)} lost, ${exact(table.draws)} drawn. `);
  if (table.name) words.append(download(table.name));
  const picture = positions((await ask(`api/stats?rules=${table.rules}&boards=${table.boards}`)).tables[0]);
  const scroller = text("div", "scroller", "");
  scroller.append(barChart(picture, find));
  return [text("h3", "chart-title", picture.title), words, legend(picture), scroller];
}

/** Returns every stored board of Obstruction with its nimber; rectangles lead to Explore. */
async function nimbers() {
  const list = text("p", "exact nimbers", "");
  for (const { board, nimber } of await ask("api/nimbers")) {
    const opens = /^\d+x\d+$/.test(board);
    const item = text(opens ? "a" : "span", "", `${board.replaceAll("x", " × ")}: ${nimber}`);
    if (opens) item.href = `./?mode=explore&position=obstruction:${board}`;
    list.append(item);
  }
  return [text("h3", "chart-title", "Nimbers of empty boards: the first player loses exactly if it is 0"), list];
}

/** Runs `act` and shows its error. */
async function told(act) {
  try {
    await act();
  } catch (error) {
    Object.assign($("problem"), { hidden: false, textContent: error.message });
  }
}

/** Keeps the boards of the kind chosen that begin with the words of the search. */
function wanted(tables) {
  const [kind, words] = [$("kind").value, $("wanted").value.trim().toLowerCase().replace(/\s*[×x]\s*/, "x")];
  return tables.filter((table) => (kind === "all" || table.kind === kind) && table.boards.startsWith(words));
}

/** Lists the wanted boards of `all`; with `more` only adds those, so that open details stay. */
function list(all, more = null) {
  const rows = wanted(more ?? all).map(tableRow);
  if (more) $("tables").append(...rows);
  else $("tables").replaceChildren(...rows);
  $("found").textContent = `${wanted(all).length} of ${all.length} rows`;
}

/** Returns the row of a board: counts, longest game, details, file; for a damaged table its error. */
function tableRow(table) {
  const size = `${table.boards.replace("x", " × ")}${table.kind === "directional" ? ", directional" : ""}`;
  if (table.error) return row([size, ["damaged", table.error]]);
  const more = small("Details", (event) => details(table, event.target.closest("tr")));
  if (table.stored) return row([`Obstruction, ${table.stored} boards`, "", "", "", "", more, download("obstruction.phut")]);
  const counts = [table.wins, table.losses, table.draws].map(short);
  const { boards, longest, rules } = table;
  const game = longest === null ? "" : rules === "ordinary" ? small(`${longest}`, () => find(examplePath(boards, longest))) : `${longest}`;
  return row([size, ...counts, game, more, table.name ? download(table.name) : "by the rule"]);
}

function small(words, act) {
  const button = text("button", "small", words);
  button.type = "button";
  button.addEventListener("click", act);
  return button;
}

/** Returns a rounded count whose title has all digits. */
function short(count) {
  const words = text("span", "", rounded(count));
  words.title = exact(count);
  return words;
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

told(async () => {
  const stats = await ask("api/stats");
  const picture = longestGames(stats.tables);
  $("longest").replaceChildren(legend(picture), barChart(picture, find));
  const all = stats.tables.map((table) => ({ ...table, kind: table.game }));
  if (stats.obstruction_boards) all.push({ kind: "obstruction", boards: "obstruction", stored: stats.obstruction_boards });
  $("kind").append(...Object.entries(KINDS).map(([kind, title]) => new Option(title, kind)));
  $("search").addEventListener("submit", (event) => event.preventDefault());
  $("kind").addEventListener("change", () => list(all));
  $("wanted").addEventListener("input", () => list(all));
  list(all);
  const { tables } = await ask("api/stats?rules=directional");
  const more = tables.filter(({ game }) => game !== "obstruction").map((table) => ({ ...table, kind: "directional" }));
  all.push(...more);
  list(all, more);
});
