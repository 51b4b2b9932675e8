// A tree, drawn from left to right; parts are folded and unfolded by mouse and by keyboard.
"use strict";

function treeView(data, game, state) {
  const view = { data, game, state, open: firstUnfolded(game), width: letterWidth(), at: 0 };
  view.canvas = svg("svg", { class: "tree", role: "tree", "aria-label": "game tree", onkeydown: (event) => treeKey(view, event) });
  const button = (words, act) => el("button", { type: "button", onclick: act }, words);
  view.note = el("p", { class: "note", role: "status" });
  state.watch(() => paintShares(view));
  drawTree(view);
  return section("Game",
    el("p", { class: "key" }, ...data.game.players.map((_, player) => playerTag(data, player))),
    el("div", { class: "controls" },
      button("Unfold all", () => unfold(view, () => true)),
      button("Unfold what is played", () => unfold(view, (node) => !game.arithmetic.isZero(state.found.total[node]))),
      button("Fold", () => { view.open = firstUnfolded(game); drawTree(view); })),
    el("div", { class: "scroll" }, view.canvas), view.note,
    el("p", { class: "note" }, "Dashed lines join the nodes of an information set: who moves there cannot tell them "
      + "apart. Thick branches are played. Arrow keys move, fold and unfold; Enter picks an information set."));
}

function unfold(view, wanted) {
  const { game } = view;
  view.open = new Set();
  for (let level = [0], shownNodes = 1; level.length && shownNodes < MOST_SHOWN;) {
    const inner = level.filter((node) => game.children(node) && wanted(node));
    inner.forEach((node) => view.open.add(node));
    level = inner.flatMap((node) => childrenOf(game, node));
    shownNodes += level.length;
  }
  drawTree(view);
}

function boxText(view, node) {
  const { game, data } = view, s = game.nodeInfoset[node];
  if (s < 0) return `(${game.paid[node].map((value) => shown(game.arithmetic, value)).join(", ")})`;
  const mover = game.moverOf(node);
  const more = view.open.has(node) ? "" : `  +${(game.below[node] - 1).toLocaleString("en")}`;
  const label = data.game.infosets[s].label;
  if (mover < 0) return (label || "chance") + more;
  return `${MARKS[mover % MARKS.length]} ${label || playerName(data, mover)}${more}`;
}

function boxWidth(view, node) {
  return view.width(boxText(view, node)) + (view.game.children(node) ? 3 : 2) * PAD; // room for the fold button
}

function edgeTexts(view, node) {
  const { game, data, state } = view;
  if (!node) return ["", ""];
  const above = game.parent[node], a = node - game.firstChild[above];
  const share = game.sharesOf(state.profile, above)[a];
  return [labelOf(data.game.infosets[game.nodeInfoset[above]].actions, a), shown(game.arithmetic, share)];
}

function drawTree(view) {
  const { game } = view;
  view.boxes = new Map();
  const widest = (node) => view.width(edgeTexts(view, node)[0]) + 14 + view.width(ABOUT + "0.0000");
  const layout = placed(game, view.open, {
    edge: widest,
    box: (node) => boxWidth(view, node),
  });
  view.layout = layout;
  if (!layout.y.has(view.at)) view.at = 0;
  const shapes = layout.order.slice(0, MOST_SHOWN).map((node) => nodeShape(view, node));
  view.canvas.setAttribute("width", layout.width);
  view.canvas.setAttribute("height", layout.height + 8);
  view.canvas.setAttribute("viewBox", `0 0 ${layout.width} ${layout.height + 8}`);
  view.canvas.replaceChildren(
    svg("g", { class: "links", "aria-hidden": "true" }, ...infosetLinks(view)),
    svg("g", { class: "edges", "aria-hidden": "true" }, ...layout.order.slice(1, MOST_SHOWN).map((node) => edgeShape(view, node))),
    ...shapes);
  const left = game.nodes - layout.order.length;
  view.note.textContent = left > 0
    ? `${layout.order.length.toLocaleString("en")} of ${game.nodes.toLocaleString("en")} nodes are unfolded.` : "";
  paintShares(view);
}

function nodeShape(view, node) {
  const { game, layout, data } = view, mover = game.moverOf(node);
  const text = boxText(view, node), width = boxWidth(view, node);
  const x = layout.across[game.depth[node]].x, y = layout.y.get(node);
  const inner = game.children(node) > 0;
  const [action] = edgeTexts(view, node);
  const box = svg("g", {
    class: `node ${mover === null ? "end" : mover < 0 ? "chance" : `p${mover % MARKS.length}`}`,
    role: "treeitem", tabindex: node === view.at ? "0" : "-1", "data-node": node,
    "aria-level": game.depth[node] + 1,
    "aria-expanded": inner ? String(view.open.has(node)) : null,
    "aria-label": `${action ? `${action}: ` : ""}${mover === null ? "end, pays " : `${playerName(data, mover)}, `}${text}`,
    transform: `translate(${x},${y})`,
    onclick: () => {
      if (inner && !view.open.has(node)) toggle(view, node);
      focusNode(view, node);
      pick(view, node);
    },
    onmouseenter: () => alike(view, node, true),
    onmouseleave: () => alike(view, node, false),
    onfocus: () => alike(view, node, true),
    onblur: () => alike(view, node, false),
  },
  svg("rect", { x: 0, y: -12, width, height: 24, rx: mover === null || mover < 0 ? 12 : 4 }));
  if (mover === null) box.append(payoffTexts(view, node));
  else box.append(svg("text", { x: PAD, y: 4.5 }, text));
  if (inner) box.append(foldHandle(view, node, width));
  view.boxes.set(node, box);
  return box;
}

// A small button at the end of a box that folds or unfolds what is behind it.
function foldHandle(view, node, x) {
  const sign = view.open.has(node) ? MINUS : "+";
  return svg("g", {
    class: "fold", "aria-hidden": "true", transform: `translate(${x},0)`,
    onclick: (event) => { event.stopPropagation(); toggle(view, node); },
  }, svg("circle", { r: 7 }), svg("text", { y: 4, "text-anchor": "middle" }, sign));
}

function payoffTexts(view, node) {
  const parts = view.game.paid[node].map((value, player) =>
    svg("tspan", { class: `p${player % MARKS.length}` }, shown(view.game.arithmetic, value)));
  return svg("text", { x: PAD, y: 4.5 }, "(", ...parts.flatMap((part, k) => (k ? [", ", part] : [part])), ")");
}

function edgeShape(view, node) {
  const { game, layout } = view, above = game.parent[node];
  const column = layout.across[game.depth[above]], own = layout.across[game.depth[node]];
  const from = column.x + boxWidth(view, above);
  const turn = column.x + column.box + GAP, y = layout.y.get(node), start = layout.y.get(above);
  const mover = game.moverOf(above);
  const share = svg("tspan", { class: "probability" });
  const edge = svg("g", { class: `edge ${mover < 0 ? "chance" : `p${mover % MARKS.length}`}` },
    svg("path", { d: `M${from},${start} C${turn},${start} ${from},${y} ${turn},${y} H${own.x}` }),
    svg("text", { x: turn + 4, y: y - 5 }, `${edgeTexts(view, node)[0]} `, share));
  edge.dataset.node = node;
  return edge;
}

// Dashed lines that join an information set's nodes in a column, beside their boxes, on tracks of their own.
function infosetLinks(view) {
  const { game, layout } = view, groups = new Map();
  for (const node of layout.order) {
    if (game.moverOf(node) === null || game.moverOf(node) < 0) continue;
    const key = `${game.depth[node]} ${game.nodeInfoset[node]}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(node);
  }
  const taken = new Map(); // for each column and track, down to where it is used
  return [...crossLinks(view, [...groups.values()]), ...[...groups.values()].filter((nodes) => nodes.length > 1).map((nodes) => {
    const x = layout.across[game.depth[nodes[0]]].x, ys = nodes.map((node) => layout.y.get(node));
    const keys = Array.from({ length: TRACKS }, (_, k) => `${game.depth[nodes[0]]} ${k}`);
    const track = Math.max(0, keys.findIndex((key) => (taken.get(key) ?? -1) < ys[0]));
    taken.set(keys[track], ys[ys.length - 1]);
    const bend = x - 6 - 5 * track;
    return svg("path", {
      class: `link p${game.moverOf(nodes[0]) % MARKS.length}`,
      d: `M${bend},${ys[0]} V${ys[ys.length - 1]} ${ys.map((y) => `M${bend},${y} H${x}`).join(" ")}`,
    });
  })];
}

// Where an information set has nodes in several columns, a curve from one column to the next.
function crossLinks(view, groups) {
  const { game, layout } = view, last = new Map(), found = [];
  for (const nodes of groups.sort((a, b) => game.depth[a[0]] - game.depth[b[0]])) {
    const s = game.nodeInfoset[nodes[0]], before = last.get(s);
    last.set(s, nodes);
    if (!before) continue;
    const far = (a, b) => Math.abs(layout.y.get(a) - layout.y.get(b));
    const pairs = before.flatMap((a) => nodes.map((b) => [a, b])).slice(0, 10000);
    const [from, to] = pairs.reduce((best, own) => (far(...own) < far(...best) ? own : best));
    const down = layout.y.get(from) <= layout.y.get(to) ? 1 : -1;
    const [x, y, toX, toY] = [layout.across[game.depth[from]].x + boxWidth(view, from) / 2, layout.y.get(from) + 12 * down,
      layout.across[game.depth[to]].x + 14, layout.y.get(to) - 12 * down];
    found.push(svg("path", { class: `link p${game.moverOf(to) % MARKS.length}`, d: `M${x},${y} C${x},${toY} ${toX},${y} ${toX},${toY}` }));
  }
  return found;
}

// Writes the probabilities of the profile on the branches; those that are played are thick.
function paintShares(view) {
  const { game, state } = view;
  for (const edge of view.canvas.querySelectorAll(".edge")) {
    const node = Number(edge.dataset.node), above = game.parent[node];
    const share = game.sharesOf(state.profile, above)[node - game.firstChild[above]];
    edge.querySelector(".probability").textContent = shown(game.arithmetic, share);
    edge.classList.toggle("played", !game.arithmetic.isZero(share));
    edge.classList.toggle("reached", !game.arithmetic.isZero(state.found.total[node]));
  }
  for (const [node, box] of view.boxes) {
    const s = game.nodeInfoset[node];
    box.classList.toggle("picked", s >= 0 && s === state.picked);
    box.classList.toggle("reached", !game.arithmetic.isZero(state.found.total[node]));
  }
}

function alike(view, node, on) {
  const s = view.game.nodeInfoset[node];
  if (s < 0 || view.game.moverOf(node) < 0) return;
  for (const [other, box] of view.boxes) {
    if (view.game.nodeInfoset[other] === s) box.classList.toggle("alike", on);
  }
}

function pick(view, node) {
  if (view.game.moverOf(node) >= 0 && view.game.moverOf(node) !== null) {
    view.state.pick(view.game.nodeInfoset[node]);
  }
}

function toggle(view, node) {
  if (view.open.has(node)) view.open.delete(node);
  else view.open.add(node);
  drawTree(view);
  focusNode(view, node);
}

function focusNode(view, node) {
  view.boxes.get(view.at)?.setAttribute("tabindex", "-1");
  view.at = node;
  const box = view.boxes.get(node);
  box?.setAttribute("tabindex", "0");
  box?.focus();
}

function treeKey(view, event) {
  const { game, layout, open } = view, node = view.at, place = layout.order.indexOf(node);
  const move = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: layout.order.length - 1 }[event.key];
  if (move !== undefined) {
    const next = layout.order[Math.min(Math.max(move, 0), Math.min(layout.order.length, MOST_SHOWN) - 1)];
    focusNode(view, next);
  } else if (event.key === "ArrowRight" && game.children(node)) {
    if (open.has(node)) focusNode(view, game.firstChild[node]);
    else toggle(view, node);
  } else if (event.key === "ArrowLeft") {
    if (open.has(node)) toggle(view, node);
    else if (node) focusNode(view, game.parent[node]);
  } else if (event.key === "Enter") pick(view, node);
  else if (event.key === " " && game.children(node)) toggle(view, node);
  else return;
  event.preventDefault();
}
