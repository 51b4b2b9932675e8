// Normal forms: expected payoffs, what each action pays, and what a player gains by the best one.
"use strict";

const EXACT_ENTRIES = 6000; // payoffs up to which numbers are exact

function matrixGame(record) {
  const sizes = record.actions.map((own) => own.length);
  const cells = sizes.reduce((a, b) => a * b, 1);
  const players = record.players.length;
  const arithmetic = cells * players <= EXACT_ENTRIES ? EXACT : FLOATS;
  const strides = sizes.map((_, i) => sizes.slice(i + 1).reduce((a, b) => a * b, 1));
  const read = new Map(); // equal payoffs are read once
  const number = (text) => {
    if (!read.has(text)) read.set(text, arithmetic.read(text));
    return read.get(text);
  };
  const payoff = (player, cell) => number(record.payoffs[player * cells + cell]);
  const game = {
    record, players, sizes, cells, strides, arithmetic, payoff,
    kind: "matrix",
    vectors: record.actions.map((actions, player) => ({ player, actions, label: "" })),
    actionOf: (cell, player) => Math.floor(cell / strides[player]) % sizes[player],
    evaluate: (profile) => evaluateMatrix(game, profile),
  };
  return game;
}

// For each cell, the chance that all players but one choose it.
function* weighedCells(game, profile, besides) {
  const { arithmetic: own, sizes, strides } = game;
  const choose = function* (player, cell, weight) {
    if (player === sizes.length) yield [cell, weight];
    else if (player === besides) yield* choose(player + 1, cell, weight);
    else {
      for (let a = 0; a < sizes[player]; a++) {
        const share = profile[player][a];
        if (!own.isZero(share)) {
          yield* choose(player + 1, cell + a * strides[player], own.multiply(weight, share));
        }
      }
    }
  };
  yield* choose(0, 0, own.one);
}

function actionPayoffs(game, profile, player) {
  const own = game.arithmetic;
  const found = Array.from({ length: game.sizes[player] }, () => own.zero);
  for (const [cell, weight] of weighedCells(game, profile, player)) {
    for (let a = 0; a < found.length; a++) {
      const paid = game.payoff(player, cell + a * game.strides[player]);
      found[a] = own.add(found[a], own.multiply(weight, paid));
    }
  }
  return found;
}

function evaluateMatrix(game, profile) {
  const own = game.arithmetic;
  const values = profile.map((_, player) => actionPayoffs(game, profile, player));
  const payoffs = values.map((row, i) =>
    sum(own, row.map((value, a) => own.multiply(value, profile[i][a]))));
  const best = values.map((row) => largest(own, row));
  return {
    payoffs, best, values,
    gains: gainsOf(own, best, payoffs),
    reach: profile.map(() => own.one),
  };
}

// For each player, the cells in which its action is a best response to the others' actions.
function bestReplies(game) {
  const own = game.arithmetic;
  return Array.from({ length: game.players }, (_, player) => {
    const most = new Map();
    const place = (cell) => cell - game.actionOf(cell, player) * game.strides[player];
    for (let cell = 0; cell < game.cells; cell++) {
      const value = game.payoff(player, cell), before = most.get(place(cell));
      if (before === undefined || own.compare(value, before) > 0) most.set(place(cell), value);
    }
    return (cell) => own.compare(game.payoff(player, cell), most.get(place(cell))) === 0;
  });
}
