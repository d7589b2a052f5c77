// The review of a finished game: the visitor's mistakes and the turns that changed who wins.

import { restore } from "./address.js";
import { text } from "./picture.js";
import { $, playing } from "./state.js";
import { name, winner } from "./words.js";

/** Returns the player who wins from a step on, null for a draw, or undefined if it is not known. */
function holder(one) {
  if (one.winner !== null) return one.winner;
  return one.answer?.value ? winner(restore(one), one.answer) : undefined;
}

/** Returns the turns after which another player wins than before, with their numbers. */
function turningPoints(record) {
  return record.map((one, number) => ({ ...one, number, before: number ? holder(record[number - 1]) : undefined, now: holder(one) }))
    .filter(({ before, now }) => before !== undefined && now !== undefined && before !== now);
}

/** Returns a sentence on a turning point: the assessment of the visitor's turn, or the program's gift. */
function sentenceOn(at, { number, by, turn, words, before, now }, you) {
  if (by === you) return `Turn ${number}, ${turn}. ${words ?? `That gave away the ${before === you ? "win" : "draw"}.`}`;
  const gift = you === null ? (now === null ? "That gave the draw." : `That gave ${name(at, now)} the win.`) : now === you ? "That gave you the win." : "That gave you the draw.";
  return `Turn ${number}, ${name(at, by)}: ${turn}. ${gift}`;
}

/** Shows the review; a click on a turn calls `go` with the number of the step before it. */
export function showReview(at, entry, go) {
  const { record, you } = entry;
  const shown = playing() && at.winner !== null && record.length > 1;
  $("review").hidden = !shown;
  if (!shown) return;
  const points = turningPoints(record);
  const bad = points.filter(({ by }) => by === you).length;
  const none = record.some((one) => holder(one) === undefined) ? "No mistake is known."
    : holder(record[0]) === you ? "No mistakes: you kept the win on every turn."
    : at.winner === you ? "No mistakes: you could not win from the starting position, until the program let you." : "No mistakes: you could not win from the starting position.";
  const turned = points.length === 1 ? "1 turn changed" : `${points.length} turns changed`;
  const shared = points.length ? `${turned} who wins:` : record.some((one) => holder(one) === undefined) ? "No mistake is known." : "No turn changed who wins.";
  $("review-words").textContent = you === null ? shared : bad ? `You made ${bad === 1 ? "1 mistake" : `${bad} mistakes`}. ${turned} who wins:` : none;
  $("review-list").replaceChildren(...points.map((point) => {
    const button = text("button", "entry", sentenceOn(at, point, you));
    button.type = "button";
    button.addEventListener("click", () => go(point.number - 1));
    const item = document.createElement("li");
    item.append(button);
    return item;
  }));
}
