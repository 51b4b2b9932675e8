// Profiles: one list of probabilities a player or an information set, read from answers, and edited.
"use strict";

const SLIDER_STEPS = 100; // parts of one that a slider counts

function uniformProfile(game) {
  const own = game.arithmetic;
  return game.vectors.map(({ actions }) =>
    actions.map(() => own.divide(own.one, own.read(`${actions.length}`))));
}

// The profile that an answer is about; of a correlated one, how often each action is recommended.
function profileOf(game, answer) {
  const read = (rows) => rows.map((row) => row.map(game.arithmetic.read));
  if (answer?.strategies) return read(answer.strategies);
  if (answer?.infosets) return read(answer.infosets.map((own) => own.probabilities));
  if (answer?.profiles) return profileOf(game, answer.profiles[0]);
  return answer?.joint_actions ? marginals(game, answer) : null;
}

function marginals(game, distribution) {
  const own = game.arithmetic;
  const found = game.vectors.map(({ actions }) => actions.map(() => own.zero));
  distribution.joint_actions.forEach((joint, k) => {
    const share = own.read(distribution.probabilities[k]);
    joint.forEach((action, player) => {
      found[player][action] = own.add(found[player][action], share);
    });
  });
  return found;
}

// One probability becomes another; the others keep their proportions, so that the sum stays one.
function withShare(arithmetic, vector, action, share) {
  const own = arithmetic;
  const rest = own.subtract(own.one, vector[action]), left = own.subtract(own.one, share);
  const others = own.read(`${vector.length - 1}`);
  return vector.map((old, a) => {
    if (a === action) return share;
    return own.compare(rest, own.zero) > 0
      ? own.divide(own.multiply(old, left), rest)
      : own.divide(left, others);
  });
}

// The same in whole hundredths, as a slider moves: what is lost by rounding goes to the largest rests.
function withSlider(arithmetic, vector, action, steps) {
  const wanted = withShare(FLOATS, vector.map(arithmetic.number), action, steps / SLIDER_STEPS);
  const parts = wanted.map((share) => Math.floor(share * SLIDER_STEPS + 1e-9));
  const order = wanted.map((share, a) => [share * SLIDER_STEPS - parts[a], a]).sort((x, y) => y[0] - x[0]);
  let missing = SLIDER_STEPS - parts.reduce((x, y) => x + y, 0);
  for (const [, a] of order) {
    if (a !== action && missing > 0) {
      parts[a] += 1;
      missing -= 1;
    }
  }
  return parts.map((part) => arithmetic.read(`${part}/${SLIDER_STEPS}`));
}
