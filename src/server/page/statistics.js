// The longest games, and every table with its counts, chart and file.

import { ask } from "./ask.js";
import { barChart, examplePath, longestGames, positions } from "./chart.js";
import { text } from "./picture.js";

const HEADS = ["Board", "Won", "Lost", "Drawn", "Longest game", "Chart", "File"];
const $ = (id) => document.getElementById(id);

/** Opens the position that the server returns for an API path. */
async function find(path) {
  await told(async () => {
    const { position } = await ask(path);
    location.href = `./?mode=explore&position=${encodeURIComponent(position)}`;
  });
}

/** Shows a chart of the positions below the row of a table, or removes it. */
async function chart(boards, under) {
  if (under.nextElementSibling?.className === "charted") return under.nextElementSibling.remove();
  const box = text("td", "", "Counting …");
  box.colSpan = 7;
  const line = text("tr", "charted", "");
  line.append(box);
  under.after(line);
  await told(async () => {
    const picture = positions((await ask(`api/stats?boards=${boards}`)).tables[0]);
    box.replaceChildren(text("h3", "chart-title", picture.title), barChart(picture, find));
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

/** Fills the list of tables: counts, longest game, chart, file; for a damaged table its error. */
function showTables({ tables, obstruction_boards: boards }) {
  const rows = tables.map((table) => {
    const size = table.boards.replace("x", " × ");
    if (table.error) return row([size, ["damaged", table.error]]);
    const counts = [table.wins, table.losses, table.draws].map(round);
    const longest = table.longest === null ? "" : small(`${table.longest}`, () => find(examplePath(table.boards, table.longest)));
    return row([size, ...counts, longest, small("Chart", (event) => chart(table.boards, event.target.closest("tr"))), download(table.name)]);
  });
  if (boards) rows.push(row([`Obstruction: ${boards} boards`, "", "", "", "", "", download("obstruction.phut")]));
  $("tables").replaceChildren(...rows);
}

function small(words, act) {
  const button = text("button", "small", words);
  button.type = "button";
  button.addEventListener("click", act);
  return button;
}

/** Returns a count with three significant digits if it is long: '3.6M', '1.23·10^18'. */
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
    // On a phone a line is a card, and each cell has its own heading.
    if (number && words !== "") box.dataset.head = HEADS[number];
    box.append(words);
    line.append(box);
  });
  return line;
}

told(async () => {
  const stats = await ask("api/stats");
  showTables(stats);
  $("longest").replaceChildren(barChart(longestGames(stats.tables), find));
});
