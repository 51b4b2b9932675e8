// The page of a game: one state, which all parts watch.
"use strict";

function gameState(data, game) {
  const watchers = [];
  const state = {
    profile: null, found: null, shown: null, joint: null, jointPayoffs: null,
    picked: 0,
    watch: (act) => watchers.push(act),
    change: (profile, shown = null) => {
      state.profile = profile;
      state.shown = shown;
      const solution = shown && data.answers[shown.answer].solutions[shown.solution];
      state.joint = solution?.profile?.joint_actions ? jointWeights(game, solution.profile) : null;
      state.jointPayoffs = state.joint && solution.payoffs.length ? solution.payoffs.map(game.arithmetic.read) : null;
      state.found = game.evaluate(profile);
      watchers.forEach((act) => act());
    },
    changeVector: (s, vector) => state.change(state.profile.map((old, k) => (k === s ? vector : old))),
    show: (answer, solution) => state.change(
      profileOf(game, data.answers[answer].solutions[solution].profile) ?? state.profile, { answer, solution }),
    pick: (s) => {
      state.picked = s;
      watchers.forEach((act) => act());
    },
    weightOf: (cell) => (state.joint ? EXACT.number(state.joint.get(cell) ?? EXACT.zero)
      : state.profile.reduce((total, row, i) => total * game.arithmetic.number(row[game.actionOf(cell, i)]), 1)),
    jointText: (cell) => shown(EXACT, state.joint.get(cell) ?? EXACT.zero),
  };
  return state;
}

function jointWeights(game, distribution) {
  return new Map(distribution.joint_actions.map((joint, k) => [
    joint.reduce((cell, action, i) => cell + action * game.strides[i], 0), readFraction(distribution.probabilities[k])]));
}

const MOST_LETTERS = 58; // across a table that leaves room for another column of the page

function matrixLetters(game) {
  const longest = (player) => Math.max(0, ...(game.record.actions[player] ?? []).map((own) => Math.min(own.length, 24)));
  const columns = game.sizes[1] ?? 1;
  if (columns > 12) return Infinity;
  return longest(0) + 6 + columns * (Math.max(longest(1), 2 * longestOf(game)) + 5);
}

function longestOf(game) {
  const texts = game.record.payoffs.map((text) => Math.min(text.length, LONGEST_EXACT));
  return texts.reduce((a, b) => Math.max(a, b), 1);
}

function gamePage(data, root) {
  const game = data.game.kind === "normal-form" ? matrixGame(data.game) : treeGame(data.game);
  game.remembers = data.perfect_recall;
  const state = gameState(data, game);
  const start = data.answers.findIndex(({ solutions }) => solutions.some(({ profile }) => profileOf(game, profile)));
  state.profile = uniformProfile(game);
  state.found = game.evaluate(state.profile);
  const picture = game.kind === "matrix" ? matrixView(data, game, state) : treeView(data, game, state);
  const [solutions, payoffs, strategies, plots, proof] = [solutionsView, payoffView, profileView, plotsView, proofView]
    .map((view) => view(data, game, state) ?? "");
  const columns = (left, right) => el("div", { class: "columns" }, el("div", {}, ...left), el("div", {}, ...right));
  const isNarrow = game.kind === "matrix" && game.players <= 2 && matrixLetters(game) <= MOST_LETTERS;
  root.append(...(isNarrow
    ? [columns([picture, payoffs, plots], [solutions, strategies])]
    : [picture, columns([solutions], [payoffs, plots]), strategies]), proof);
  if (start >= 0) state.show(start, data.answers[start].solutions.findIndex(({ profile }) => profileOf(game, profile)));
  else state.change(state.profile);
  window.explorer = { data, game, state };
}

PAGES.game = gamePage;
