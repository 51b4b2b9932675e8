// Where the unfolded part of a tree stands: a row for each leaf, a column for each depth.
"use strict";

const ROW = 36, GAP = 30, PAD = 9, LETTERS = "13px system-ui, sans-serif"; // pixels
const TRACKS = 4; // of dashed lines beside a column
const FIRST_LEAVES = 40; // that are unfolded when the page opens
const MOST_SHOWN = 3000; // nodes drawn at once

function letterWidth() {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = LETTERS;
  const known = new Map();
  return (text) => {
    if (!known.has(text)) known.set(text, pen.measureText(text).width * 1.08);
    return known.get(text);
  };
}

// Unfolds from the root on, level by level, as long as there are few leaves.
function firstUnfolded(game) {
  const open = new Set();
  let leaves = 1, level = [0];
  while (level.length) {
    const inner = level.filter((node) => game.children(node));
    const more = inner.reduce((total, node) => total + game.children(node) - 1, 0);
    if (open.size && leaves + more > FIRST_LEAVES) break;
    leaves += more;
    inner.forEach((node) => open.add(node));
    level = inner.flatMap((node) => childrenOf(game, node));
  }
  return open;
}

function childrenOf(game, node) {
  return Array.from({ length: game.children(node) }, (_, a) => game.firstChild[node] + a);
}

// The nodes that are seen, in the order of rows, with their places: x and width by columns, y by rows.
function placed(game, open, texts) {
  const order = [], y = new Map(), across = [];
  let rows = 0;
  const stack = [0];
  while (stack.length) {
    const node = stack.pop();
    order.push(node);
    const inner = open.has(node) && game.children(node) > 0;
    if (inner) stack.push(...childrenOf(game, node).reverse());
    else y.set(node, ROW * (rows++ + 0.5));
    const column = (across[game.depth[node]] ??= { edge: 0, box: 0 });
    column.edge = Math.max(column.edge, texts.edge(node));
    column.box = Math.max(column.box, texts.box(node));
  }
  for (const node of order.slice().reverse()) {
    if (y.has(node)) continue;
    const first = game.firstChild[node];
    y.set(node, (y.get(first) + y.get(first + game.children(node) - 1)) / 2);
  }
  let x = 4;
  for (const column of across) {
    column.x = x + column.edge + (column === across[0] ? 0 : 2 * GAP);
    x = column.x + column.box;
  }
  return { order, y, across, height: rows * ROW, width: x + 12 };
}
