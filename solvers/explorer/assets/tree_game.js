// Trees: reach, expected payoffs, what each action pays at an information set, and best responses.
"use strict";

const EXACT_NODES = 2000; // nodes up to which numbers are exact

function treeGame(record) {
  const { infosets, outcomes, node_infoset: nodeInfoset, node_outcome: nodeOutcome } = record;
  const nodes = nodeInfoset.length, players = record.players.length;
  const arithmetic = nodes <= EXACT_NODES ? EXACT : FLOATS;
  const firstChild = new Int32Array(nodes), parent = new Int32Array(nodes).fill(-1);
  const depth = new Int32Array(nodes), below = new Int32Array(nodes).fill(1);
  const count = (node) => (nodeInfoset[node] < 0 ? 0 : infosets[nodeInfoset[node]].actions.length);
  for (let node = 0, next = 1; node < nodes; node++) {
    firstChild[node] = next;
    for (const stop = next + count(node); next < stop; next++) {
      parent[next] = node;
      depth[next] = depth[node] + 1;
    }
  }
  for (let node = nodes - 1; node > 0; node--) below[parent[node]] += below[node];
  const decisions = infosets.filter((own) => own.player > 0).length;
  const members = infosets.map(() => []);
  nodeInfoset.forEach((s, node) => s >= 0 && members[s].push(node));
  const game = {
    record, players, arithmetic, nodes, firstChild, parent, depth, below, members, nodeInfoset,
    kind: "tree",
    vectors: infosets.slice(0, decisions).map((own) => ({
      player: own.player - 1,
      actions: own.actions,
      label: own.label || `#${own.number}`,
    })),
    chance: infosets.slice(decisions).map((own) => own.probabilities.map(arithmetic.read)),
    children: count,
    moverOf: (node) => (nodeInfoset[node] < 0 ? null : infosets[nodeInfoset[node]].player - 1),
    evaluate: (profile) => evaluateTree(game, profile),
  };
  game.sharesOf = (profile, node) =>
    nodeInfoset[node] < decisions ? profile[nodeInfoset[node]] : game.chance[nodeInfoset[node] - decisions];
  game.paid = paidAlong(game, outcomes, nodeOutcome);
  return game;
}

// For each node, what has been paid to each player on the way to it, itself included.
function paidAlong(game, outcomes, nodeOutcome) {
  const own = game.arithmetic;
  const read = outcomes.map((outcome) => outcome.payoffs.map(own.read));
  const nothing = Array.from({ length: game.players }, () => own.zero);
  const paid = new Array(game.nodes);
  for (let node = 0; node < game.nodes; node++) {
    const before = node ? paid[game.parent[node]] : nothing;
    const here = nodeOutcome[node] < 0 ? null : read[nodeOutcome[node]];
    paid[node] = here ? before.map((value, i) => own.add(value, here[i])) : before;
  }
  return paid;
}

// The chance of reaching each node by the choices of all but one; of all, for player null.
function reachWithout(game, profile, player) {
  const own = game.arithmetic;
  const reach = new Array(game.nodes);
  reach[0] = own.one;
  for (let node = 0; node < game.nodes; node++) {
    const shares = game.children(node) ? game.sharesOf(profile, node) : [];
    const ignored = game.moverOf(node) === player;
    for (let a = 0; a < shares.length; a++) {
      reach[game.firstChild[node] + a] = ignored ? reach[node] : own.multiply(reach[node], shares[a]);
    }
  }
  return reach;
}

// Expected payoffs of all players from each node on, what was paid before included.
function nodePayoffs(game, profile) {
  const own = game.arithmetic;
  const found = game.paid.slice();
  for (let node = game.nodes - 1; node >= 0; node--) {
    if (!game.children(node)) continue;
    const shares = game.sharesOf(profile, node);
    found[node] = found[node].map((_, player) =>
      sum(own, shares.map((share, a) => own.multiply(share, found[game.firstChild[node] + a][player]))));
  }
  return found;
}

// What the best response of a player with perfect recall earns: own sets from the last to the first.
function bestResponseValue(game, profile, player, reach) {
  const own = game.arithmetic;
  const choice = new Map(), known = new Map();
  const followers = (node) => {
    const first = game.firstChild[node], count = game.children(node);
    if (!count) return [];
    if (game.moverOf(node) === player) return [first + choice.get(game.nodeInfoset[node])];
    return Array.from({ length: count }, (_, a) => first + a);
  };
  const value = (top) => {
    const open = [top]; // no recursion: trees may be deep
    while (open.length) {
      const node = open[open.length - 1], after = followers(node);
      const unknown = after.filter((child) => !known.has(child));
      if (unknown.length) {
        open.push(...unknown);
        continue;
      }
      open.pop();
      known.set(node, !after.length ? game.paid[node][player]
        : game.moverOf(node) === player ? known.get(after[0])
          : sum(own, game.sharesOf(profile, node).map((share, a) => own.multiply(share, known.get(after[a])))));
    }
    return known.get(top);
  };
  for (let s = game.vectors.length - 1; s >= 0; s--) {
    if (game.vectors[s].player !== player) continue;
    const reached = game.members[s].filter((node) => !own.isZero(reach[node]));
    const worth = game.vectors[s].actions.map((_, a) =>
      sum(own, reached.map((node) => own.multiply(reach[node], value(game.firstChild[node] + a)))));
    const most = largest(own, worth);
    choice.set(s, worth.findIndex((one) => own.compare(one, most) === 0));
  }
  return value(0);
}

function evaluateTree(game, profile) {
  const own = game.arithmetic;
  const onward = nodePayoffs(game, profile);
  const total = reachWithout(game, profile, null);
  const reaches = game.record.players.map((_, player) => reachWithout(game, profile, player));
  const values = game.vectors.map(({ player, actions }, s) => {
    const weight = sum(own, game.members[s].map((node) => reaches[player][node]));
    if (own.isZero(weight)) return actions.map(() => null); // the others never let play come here
    return actions.map((_, a) => own.divide(sum(own, game.members[s].map((node) =>
      own.multiply(reaches[player][node], onward[game.firstChild[node] + a][player]))), weight));
  });
  const payoffs = onward[0];
  const best = game.remembers
    ? payoffs.map((_, player) => bestResponseValue(game, profile, player, reaches[player]))
    : null;
  return {
    payoffs, values, best, total,
    gains: best && gainsOf(own, best, payoffs),
    reach: game.members.slice(0, game.vectors.length).map((nodes) =>
      sum(own, nodes.map((node) => total[node]))),
  };
}
