// A normal form as a table, or as slices: one table for each choice of the third and later players.
"use strict";

const MOST_LINES = 120; // rows or columns of a table that are shown
const MOST_SLICES = 12; // shown at once; of more, one that is picked

function matrixView(data, game, state) {
  const replies = game.cells <= 50000 ? bestReplies(game) : null;
  const others = game.sizes.slice(2);
  const slices = others.reduce((a, b) => a * b, 1);
  const box = el("div", { class: "slices" });
  const updates = [];
  const show = (numbers) => {
    updates.length = 0;
    box.replaceChildren(...numbers.map((slice) => matrixTable(data, game, state, replies, slice, updates)));
    updates.forEach((update) => update());
  };
  const pickers = slices > MOST_SLICES ? slicePicker(data, game, others, (slice) => show([slice])) : null;
  show(slices > MOST_SLICES ? [0] : Array.from({ length: slices }, (_, k) => k));
  state.watch(() => updates.forEach((update) => update()));
  const note = "Underlined: a best response to the others\u2019 actions. Framed: an equilibrium in "
    + "pure actions. Shaded: how likely a cell is played.";
  return section("Game", pickers, box, el("p", { class: "note" }, note));
}

function slicePicker(data, game, others, pick) {
  const selects = others.map((size, k) => el("select", { onchange: () => act() },
    ...Array.from({ length: size }, (_, a) =>
      el("option", { value: a }, labelOf(game.record.actions[k + 2], a)))));
  const act = () => pick(selects.reduce((slice, select, k) => slice * others[k] + Number(select.value), 0));
  return el("div", { class: "controls" }, ...selects.map((select, k) =>
    el("label", {}, playerTag(data, k + 2), " plays ", select)));
}

// Which actions are shown: all, or of a long list those that answers play, then the first ones.
function shownActions(data, game, player) {
  const size = game.sizes[player];
  const all = Array.from({ length: size }, (_, a) => a);
  if (size <= MOST_LINES) return all;
  const played = new Set();
  for (const answer of data.answers) {
    for (const { profile } of answer.solutions) {
      (profile?.strategies?.[player] ?? []).forEach((share, a) => share !== "0" && played.add(a));
    }
  }
  return [...played, ...all.filter((a) => !played.has(a))].slice(0, MOST_LINES).sort((a, b) => a - b);
}

function matrixTable(data, game, state, replies, slice, updates) {
  const rows = shownActions(data, game, 0);
  const columns = game.players > 1 ? shownActions(data, game, 1) : [0];
  const after = game.sizes.slice(2).reduce((a, b) => a * b, 1);
  const cellAt = (a, b) => (game.players > 1 ? (a * game.sizes[1] + b) * after + slice : a);
  const head = game.players > 1 ? columnHeads(data, game, state, columns, updates)
    : el("tr", {}, el("th", { scope: "col" }, playerTag(data, 0)), el("td", {}, "pays"));
  const body = rows.map((a) => el("tr", {},
    actionHead(game, state, 0, a, "row", updates),
    ...columns.map((b) => payoffCell(data, game, state, replies, cellAt(a, b), updates))));
  const table = el("table", { class: "matrix", "--longest": longestPayoff(game, rows, columns, cellAt) },
    after > 1 ? el("caption", {}, sliceCaption(data, game, slice)) : null,
    el("thead", {}, head), el("tbody", {}, ...body));
  const hidden = [[game.sizes[0], rows, "rows"], [game.sizes[1] ?? 1, columns, "columns"]]
    .filter(([size, own]) => own.length < size)
    .map(([size, own, words]) => `${own.length} of ${size} ${words} are shown: those that answers play, then the first.`);
  const box = el("figure", { class: "scroll", tabindex: "0", role: "group", "aria-label": "payoffs" }, table);
  updates.push(() => showPlayed(box));
  return fill(box, {}, [hidden.length ? el("figcaption", { class: "note" }, hidden.join(" ")) : null]);
}

// Brings what is played into sight where a table is larger than its box.
function showPlayed(box) {
  const cell = box.querySelector("td.played");
  if (!cell || (box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight)) return;
  box.scrollTo(cell.offsetLeft - box.clientWidth / 2, cell.offsetTop - box.clientHeight / 2);
}

// Characters of the longest payoff, so that all stand below each other.
function longestPayoff(game, rows, columns, cellAt) {
  let most = 1;
  for (const a of rows) {
    for (const b of columns) {
      for (let player = 0; player < game.players; player++) {
        most = Math.max(most, shown(game.arithmetic, game.payoff(player, cellAt(a, b))).length);
      }
    }
  }
  return most;
}

function sliceCaption(data, game, slice) {
  const parts = [];
  for (let k = game.players - 1, rest = slice; k >= 2; k--) {
    const action = rest % game.sizes[k];
    rest = Math.floor(rest / game.sizes[k]);
    parts.unshift(el("span", {}, playerTag(data, k), ` plays ${labelOf(game.record.actions[k], action)}`));
  }
  return parts.flatMap((part, k) => (k ? [", ", part] : [part]));
}

function columnHeads(data, game, state, columns, updates) {
  return [
    el("tr", {}, el("td", {}), el("th", { scope: "colgroup", colspan: columns.length, class: "who" }, playerTag(data, 1))),
    el("tr", {}, el("th", { scope: "col", class: "who" }, playerTag(data, 0)),
      ...columns.map((b) => actionHead(game, state, 1, b, "col", updates))),
  ];
}

function actionHead(game, state, player, action, scope, updates) {
  const share = el("span", { class: "share" });
  const head = el("th", { scope, class: `action p${player}` },
    el("span", { class: "name" }, labelOf(game.record.actions[player], action)), share);
  updates.push(() => {
    const value = state.profile[player][action];
    head.classList.toggle("played", !game.arithmetic.isZero(value));
    numberIn(share, game.arithmetic, value);
  });
  return head;
}

function payoffCell(data, game, state, replies, cell, updates) {
  const paid = game.record.players.map((_, player) => {
    const value = numberIn(el("span", { class: `payoff p${player % MARKS.length}` }), game.arithmetic, game.payoff(player, cell));
    if (replies?.[player](cell)) value.classList.add("best");
    return value;
  });
  const own = el("td", { class: "cell" }, el("span", { class: "payoffs" },
    ...paid.flatMap((value, k) => (k ? [el("span", { class: "comma" }, ","), value] : [value]))));
  if (replies && game.record.players.every((_, player) => replies[player](cell))) own.classList.add("equilibrium");
  own.dataset.cell = cell;
  let before = 0;
  updates.push(() => {
    const weight = state.weightOf(cell);
    if (weight === before && !state.joint) return;
    before = weight;
    own.classList.toggle("played", weight > 0);
    own.style.setProperty("--weight", weight > 0 ? `${Math.round(10 + 35 * Math.sqrt(weight))}%` : "0%");
    if (state.joint) own.title = weight > 0 ? `played with probability ${state.jointText(cell)}` : "";
    else own.removeAttribute("title");
  });
  return own;
}
