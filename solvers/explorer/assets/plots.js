// Pictures of two-player games: best responses in 2 x 2, and the simplex of a player with three actions.
"use strict";

const SIDE = 240, EDGE = 52; // pixels: of a plot, and of the room around it

function plotsView(data, game, state) {
  if (game.kind !== "matrix" || game.players !== 2) return null;
  const plots = [];
  if (game.sizes.every((size) => size === 2)) plots.push(replyPlot(data, game, state));
  for (const player of [0, 1]) {
    if (game.sizes[player] === 3 && game.sizes[1 - player] <= 30) plots.push(simplexPlot(data, game, state, player));
  }
  return plots.length ? section("Best responses", el("div", { class: "plots" }, ...plots)) : null;
}

function equilibria(data) {
  const found = data.answers.filter(({ concept }) => ["all-nash", "nash", "pure-nash", "minimax"].includes(concept))
    .flatMap(({ solutions }) => solutions.filter(({ profile }) => profile.strategies));
  return found.map(({ profile }) => profile.strategies);
}

// What a player's first action pays beyond the second, against each action of the other.
function firstActionGains(game, player) {
  const own = game.arithmetic, stride = game.strides;
  const paid = (mine, theirs) => game.payoff(player, mine * stride[player] + theirs * stride[1 - player]);
  return [0, 1].map((theirs) => own.number(own.subtract(paid(0, theirs), paid(1, theirs))));
}

// The graph of best responses: points (other's first action, own first action), as a path.
function replyPath(game, player) {
  const [first, second] = firstActionGains(game, player);
  const at = (q) => second + q * (first - second); // gain of the first action, linear in q
  const best = (q) => (at(q) > 0 ? 1 : 0);
  if (first === 0 && second === 0) return { area: true, points: [] };
  const cut = first === second ? null : second / (second - first);
  if (cut === null || cut < 0 || cut > 1) return { points: [[0, best(0.5)], [1, best(0.5)]] };
  const before = cut > 0 ? best(cut / 2) : 1 - best((1 + cut) / 2);
  const after = cut < 1 ? best((1 + cut) / 2) : 1 - before;
  return { points: [[0, before], [cut, before], [cut, after], [1, after]] };
}

function replyPlot(data, game, state) {
  const x = (p) => EDGE + SIDE * p, y = (q) => EDGE / 2 + SIDE * (1 - q);
  const names = game.record.actions.map((own) => labelOf(own, 0));
  const line = (player) => {
    const { area, points } = replyPath(game, player);
    const placedPoints = points.map(([other, mine]) => (player === 0 ? [x(mine), y(other)] : [x(other), y(mine)]));
    return area
      ? svg("rect", { class: `reply area p${player}`, x: x(0), y: y(1), width: SIDE, height: SIDE })
      : svg("polyline", { class: `reply p${player}`, points: placedPoints.map((point) => point.join(",")).join(" ") });
  };
  const now = svg("circle", { class: "now", r: 6 });
  const dots = equilibria(data).map((strategies) => {
    const [p, q] = strategies.map((row) => EXACT.number(readFraction(row[0])));
    return svg("circle", { class: "dot", cx: x(p), cy: y(q), r: 6 }, svg("title", {}, `equilibrium: ${strategies.map((row) => row[0]).join(", ")}`));
  });
  const ticks = [0, 0.5, 1].flatMap((t) => [
    svg("text", { class: "tick", x: x(t), y: y(0) + 18, "text-anchor": "middle" }, `${t}`),
    svg("text", { class: "tick", x: x(0) - 8, y: y(t) + 4, "text-anchor": "end" }, `${t}`)]);
  const picture = svg("svg", { class: "plot", viewBox: `0 0 ${SIDE + 2 * EDGE} ${SIDE + EDGE}`, role: "img", id: "replies",
    "aria-label": "best responses of both players; circles are equilibria",
    onclick: (event) => {
      const [p, q] = picturePoint(picture, event);
      setFirst(game, state, [(p - EDGE) / SIDE, 1 - (q - EDGE / 2) / SIDE]);
    } },
  svg("rect", { class: "frame", x: x(0), y: y(1), width: SIDE, height: SIDE }), ...ticks, line(0), line(1), ...dots, now);
  state.watch(() => {
    now.setAttribute("cx", x(game.arithmetic.number(state.profile[0][0])));
    now.setAttribute("cy", y(game.arithmetic.number(state.profile[1][0])));
  });
  return el("figure", {}, picture, el("figcaption", {},
    el("p", {}, "Across: how often ", playerTag(data, 0), ` plays ${names[0]}. Up: how often `, playerTag(data, 1), ` plays ${names[1]}.`),
    el("p", { class: "note" }, "Lines are best responses, solid of the first player and dashed of the second; they meet in equilibria (circles). "
      + "The filled dot is the profile shown; click to move it.")));
}

function picturePoint(picture, event) {
  const box = picture.getBoundingClientRect(), view = picture.viewBox.baseVal;
  return [(event.clientX - box.left) * view.width / box.width, (event.clientY - box.top) * view.height / box.height];
}

function setFirst(game, state, shares) {
  const profile = state.profile.slice();
  shares.forEach((share, player) => {
    const steps = Math.round(Math.min(1, Math.max(0, share)) * SLIDER_STEPS);
    profile[player] = withSlider(game.arithmetic, profile[player], 0, steps);
  });
  state.change(profile);
}

const CORNERS = [[0.5, 0], [0, 1], [1, 1]]; // of the simplex: first action on top

function simplexPoint(weights) {
  const tall = SIDE * Math.sqrt(3) / 2;
  return [0, 1].map((axis) => weights.reduce((total, w, k) => total + w * CORNERS[k][axis], 0))
    .map((value, axis) => (axis ? EDGE / 2 + 8 + value * tall : EDGE * 1.5 + value * SIDE));
}

// The part of the simplex where one action of the other player is a best response: cut by half planes.
function replyRegion(payoffs, action) {
  let region = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (const other of payoffs.keys()) {
    const gain = (w) => w.reduce((total, share, k) => total + share * (payoffs[action][k] - payoffs[other][k]), 0);
    const kept = [];
    region.forEach((from, k) => {
      const to = region[(k + 1) % region.length], a = gain(from), b = gain(to);
      if (a >= 0) kept.push(from);
      if ((a > 0 && b < 0) || (a < 0 && b > 0)) kept.push(from.map((share, i) => share + (to[i] - share) * (a / (a - b))));
    });
    region = kept;
  }
  return region;
}

function area(points) {
  return Math.abs(points.reduce((total, [x, y], k) => {
    const [nextX, nextY] = points[(k + 1) % points.length];
    return total + x * nextY - nextX * y;
  }, 0)) / 2;
}

function simplexPlot(data, game, state, player) {
  const other = 1 - player, own = game.arithmetic;
  const payoffs = Array.from({ length: game.sizes[other] }, (_, b) => [0, 1, 2].map((a) =>
    own.number(game.payoff(other, a * game.strides[player] + b * game.strides[other]))));
  const regions = payoffs.map((_, b) => ({ b, points: replyRegion(payoffs, b).map(simplexPoint) }))
    .filter(({ points }) => points.length > 2 && area(points) > 1);
  const shapes = regions.map(({ b, points }, k) => svg("polygon", {
    class: `region r${k % 6}`, points: points.map((point) => point.join(",")).join(" ") },
  svg("title", {}, `best response: ${labelOf(game.record.actions[other], b)}`)));
  const words = regions.map(({ b, points }) => {
    const middle = [0, 1].map((axis) => points.reduce((total, point) => total + point[axis], 0) / points.length);
    return area(points) > 1500 ? svg("text", { class: "region-name", x: middle[0], y: middle[1] + 4, "text-anchor": "middle" },
      labelOf(game.record.actions[other], b)) : null;
  });
  const corners = [0, 1, 2].map((k) => {
    const [x, y] = simplexPoint([0, 1, 2].map((j) => Number(j === k)));
    return svg("text", { class: "tick corner", x, y: y + (k ? 20 : -8), "text-anchor": "middle" }, labelOf(game.record.actions[player], k));
  });
  const dots = equilibria(data).map((strategies) => {
    const [cx, cy] = simplexPoint(strategies[player].map((share) => EXACT.number(readFraction(share))));
    return svg("circle", { class: "dot", cx, cy, r: 6 }, svg("title", {}, `equilibrium: ${strategies[player].join(", ")}`));
  });
  const now = svg("circle", { class: "now", r: 6 });
  const picture = svg("svg", { class: "plot simplex", "data-player": player, role: "img",
    viewBox: `0 0 ${SIDE + 3 * EDGE} ${SIDE * 0.87 + 1.2 * EDGE}`,
    "aria-label": `mixed strategies of ${playerName(data, player)}, divided by the best response of ${playerName(data, other)}`,
    onclick: (event) => clickSimplex(game, state, player, picturePoint(picture, event)) },
  ...shapes, ...words.filter(Boolean), ...corners, ...dots, now);
  state.watch(() => {
    const [cx, cy] = simplexPoint(state.profile[player].map(own.number));
    now.setAttribute("cx", cx);
    now.setAttribute("cy", cy);
  });
  return el("figure", {}, picture, el("figcaption", {},
    el("p", {}, "Mixed strategies of ", playerTag(data, player), ", divided by which action of ", playerTag(data, other), " is a best response."),
    el("ul", { class: "key" }, ...regions.map(({ b }, k) => el("li", {}, el("span", { class: `swatch r${k % 6}` }), labelOf(game.record.actions[other], b)))),
    el("p", { class: "note" }, "Circles are equilibria; the filled dot is the profile shown; click to move it.")));
}

function clickSimplex(game, state, player, [px, py]) {
  const [x, y] = [(px - EDGE * 1.5) / SIDE, (py - EDGE / 2 - 8) / (SIDE * Math.sqrt(3) / 2)];
  const weights = [1 - y, y - (x - 0.5 + y / 2), x - 0.5 + y / 2].map((w) => Math.min(1, Math.max(0, w)));
  const total = weights.reduce((a, b) => a + b, 0);
  const parts = weights.map((w) => Math.round((w / total) * SLIDER_STEPS));
  parts[parts.indexOf(Math.max(...parts))] += SLIDER_STEPS - parts.reduce((a, b) => a + b, 0);
  state.changeVector(player, parts.map((part) => game.arithmetic.read(`${part}/${SLIDER_STEPS}`)));
}
