// The longest games, and every table with its counts, chart and file.

import { ask } from "./ask.js";
import { barChart, examplePath, longestGames, positions } from "./chart.js";
import { text } from "./picture.js";
import { exact, rounded } from "./words.js";

const HEADS = ["Board", "Won", "Lost", "Drawn", "Longest game", "Details", "File"];
/** Strips listed besides the last one of each file: the shortest, the first one of the game page, the
 *  shortest that a backward turn wins against the potential. */
const LANDMARKS = ["3", "9", "22"];
const $ = (id) => document.getElementById(id);

/** Opens the position that the server returns for an API path. */
async function find(path) {
  await told(async () => {
    const { position } = await ask(path);
    location.href = `./?mode=explore&position=${encodeURIComponent(position)}`;
  });
}

/** Shows the exact counts, the file and a chart of a table below its row, or removes them. */
async function details(table, under) {
  if (under.nextElementSibling?.className === "charted") return under.nextElementSibling.remove();
  const box = text("td", "", "Counting …");
  box.colSpan = HEADS.length;
  const line = text("tr", "charted", "");
  line.append(box);
  under.after(line);
  const counts = text("p", "exact", `${exact(table.positions)} positions: ${exact(table.wins)} won, ${exact(table.losses)} lost, ${exact(table.draws)} drawn. `);
  if (table.name) counts.append(download(table.name));
  await told(async () => {
    const picture = positions((await ask(`api/stats?boards=${table.boards}`)).tables[0]);
    const scroller = text("div", "scroller", "");
    scroller.append(barChart(picture, find));
    box.replaceChildren(text("h3", "chart-title", picture.title), counts, scroller);
  });
  if (!box.firstElementChild) line.remove();
}

/** Runs `act` and shows its error. */
async function told(act) {
  try {
    await act();
  } catch (error) {
    Object.assign($("problem"), { hidden: false, textContent: error.message });
  }
}

/** Returns the tables listed without a search: ends of files, known landmarks, and the widest pitches. */
function interesting(tables) {
  const isLast = (table, place) => tables[place + 1]?.name !== table.name;
  return tables.filter((table, place) => table.error || (table.game === "strip" ? isLast(table, place) || LANDMARKS.includes(table.boards) : table.boards.endsWith("x3")));
}

/** Lists the interesting tables, or those whose board begins with the words of the search. */
function search({ tables, obstruction_boards: boards }) {
  const wanted = $("wanted").value.trim().toLowerCase().replace(/\s*[×x]\s*/, "x");
  const listed = wanted ? tables.filter((table) => table.boards.startsWith(wanted)) : interesting(tables);
  const rows = listed.map(tableRow);
  if (boards && (!wanted || "obstruction".startsWith(wanted))) {
    const label = text("span", "", `Obstruction, ${boards} boards: `);
    label.append(download("obstruction.phut"));
    rows.push(row([label, "", "", "", "", "", ""]));
  }
  $("tables").replaceChildren(...rows);
  $("found").textContent = `${listed.length} of ${tables.length} boards`;
}

/** Returns the row of a table: counts, longest game, details, file; for a damaged table its error. */
function tableRow(table) {
  const size = table.boards.replace("x", " × ");
  if (table.error) return row([size, ["damaged", table.error]]);
  const counts = [table.wins, table.losses, table.draws].map(short);
  const longest = table.longest === null ? "" : small(`${table.longest}`, () => find(examplePath(table.boards, table.longest)));
  return row([size, ...counts, longest, small("Details", (event) => details(table, event.target.closest("tr"))), table.name ? download(table.name) : "by the rule"]);
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
  search(stats);
  $("search").addEventListener("submit", (event) => event.preventDefault());
  $("wanted").addEventListener("input", () => search(stats));
  $("longest").replaceChildren(barChart(longestGames(stats.tables), find));
});
