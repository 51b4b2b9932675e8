// The profile: probabilities to slide or to type, what each action pays, and what players gain by deviating.
"use strict";

const MOST_SETS = 12; // information sets whose fields are all shown; of more, the one that is picked

function profileView(data, game, state) {
  const box = el("div", { class: "strategies" });
  const few = game.vectors.length <= MOST_SETS;
  let updates = [], at = null;
  const show = () => {
    const wanted = few ? game.vectors.map((_, s) => s) : [state.picked];
    if (at !== String(wanted)) {
      at = String(wanted);
      updates = [];
      box.replaceChildren(...wanted.map((s) => strategyFields(data, game, state, s, updates)));
    }
    updates.forEach((update) => update());
  };
  const chooser = few ? null : setChooser(data, game, state);
  state.watch(() => {
    show();
    if (chooser) chooser.querySelector("select").value = state.picked;
  });
  const exact = game.arithmetic === EXACT
    ? "Computed in this page in exact fractions."
    : "This game is large, so the page computes in floating point; the solutions\u2019 own numbers are exact.";
  return section("Strategies",
    el("p", { class: "note" }, "Slide, or type a probability such as 1/3; the other actions keep their proportions. ", exact),
    el("div", { class: "controls" }, el("button", { type: "button", id: "uniform",
      onclick: () => state.change(uniformProfile(game)) }, "Play all actions equally often")),
    chooser, box);
}

function setChooser(data, game, state) {
  const options = game.vectors.map(({ player, label }, s) =>
    el("option", { value: s }, `${playerName(data, player)}: ${label}`));
  return el("label", { class: "controls" }, "Information set ",
    el("select", { id: "infoset", onchange: (event) => state.pick(Number(event.target.value)) }, ...options));
}

function strategyFields(data, game, state, s, updates) {
  const { player, actions, label } = game.vectors[s];
  const reach = el("span", { class: "reach" });
  const rows = actions.map((_, a) => actionRow(data, game, state, s, a, updates));
  const own = el("fieldset", { class: `strategy p${player % MARKS.length}`, "data-vector": s },
    el("legend", {}, playerTag(data, player), label ? `: ${label}` : null, reach),
    el("table", { class: "actions" },
      el("thead", {}, el("tr", {}, ...["action", "", "probability", "pays"].map((word, k) =>
        el("th", { scope: "col", class: ["", "slide", "", "number"][k] }, word)))),
      el("tbody", {}, ...rows)));
  updates.push(() => {
    own.classList.toggle("picked", game.kind === "tree" && state.picked === s);
    reach.textContent = game.kind === "tree" ? ` reached ${shown(game.arithmetic, state.found.reach[s])}` : "";
  });
  return own;
}

function actionRow(data, game, state, s, a, updates) {
  const { player, actions, label } = game.vectors[s];
  const name = `${playerName(data, player)}${label ? `, ${label}` : ""}: ${labelOf(actions, a)}`;
  const fixed = actions.length < 2;
  const slider = el("input", { type: "range", min: 0, max: SLIDER_STEPS, step: 1, "aria-label": `${name}, probability in hundredths`,
    disabled: fixed, oninput: () => state.changeVector(s, withSlider(game.arithmetic, state.profile[s], a, Number(slider.value))) });
  const field = el("input", { type: "text", inputmode: "numeric", autocomplete: "off", spellcheck: "false",
    "aria-label": `${name}, probability`, disabled: fixed, onchange: () => typed(game, state, s, a, field) });
  const pays = el("td", { class: "number" });
  const row = el("tr", {}, el("th", { scope: "row" }, labelOf(actions, a)), el("td", { class: "slide" }, slider), el("td", {}, field), pays);
  updates.push(() => {
    const share = state.profile[s][a], worth = state.found.values[s];
    slider.value = String(Math.round(game.arithmetic.number(share) * SLIDER_STEPS));
    field.value = game.arithmetic === EXACT ? EXACT.text(share) : shown(FLOATS, share).replace(ABOUT, "");
    field.setCustomValidity("");
    field.removeAttribute("aria-invalid");
    const best = worth[a] !== null && game.arithmetic.compare(worth[a], largest(game.arithmetic, worth)) === 0;
    numberIn(pays, game.arithmetic, worth[a]);
    row.classList.toggle("best", best);
    row.classList.toggle("played", !game.arithmetic.isZero(share));
    if (best) pays.append(el("span", { class: "star", role: "img", "aria-label": "best response" }, " \u2605"));
  });
  return row;
}

function typed(game, state, s, a, field) {
  const share = game.arithmetic.read(field.value);
  const fits = share !== null && game.arithmetic.compare(share, game.arithmetic.zero) >= 0
    && game.arithmetic.compare(share, game.arithmetic.one) <= 0;
  if (!fits) {
    field.setAttribute("aria-invalid", "true");
    field.setCustomValidity("needs a number from 0 to 1, such as 1/3 or 0.25");
    field.reportValidity();
    return;
  }
  state.changeVector(s, withShare(game.arithmetic, state.profile[s], a, share));
}

// What everybody gets, could get, and so gains by the best deviation.
function payoffView(data, game, state) {
  const rows = game.record.players.map((_, player) => {
    const cells = ["payoff", "best", "gain"].map((name) => el("td", { class: `number ${name}`, "data-player": player }));
    return { player, cells, row: el("tr", {}, el("th", { scope: "row" }, playerTag(data, player)), ...cells) };
  });
  const verdict = el("p", { class: "verdict", role: "status", id: "verdict" });
  state.watch(() => {
    const { payoffs, best, gains } = state.found;
    for (const { player, cells } of rows) {
      const joint = state.jointPayoffs;
      numberIn(cells[0], game.arithmetic, joint ? joint[player] : payoffs[player]);
      numberIn(cells[1], game.arithmetic, best && !joint ? best[player] : null);
      numberIn(cells[2], game.arithmetic, gains && !joint ? gains[player] : null);
    }
    verdict.textContent = verdictOn(game, state);
  });
  return section("Payoffs", el("table", { class: "payoff-table" },
    el("thead", {}, el("tr", {}, ...["player", "expected payoff", "best response pays", "gain (regret)"].map((word, k) =>
      el("th", { scope: "col", class: k ? "number" : null }, word)))),
    el("tbody", {}, ...rows.map(({ row }) => row))), verdict);
}

function verdictOn(game, state) {
  if (state.jointPayoffs) return "Actions are recommended jointly: payoffs are those of the correlated answer.";
  if (!state.found.gains) return "A player forgets what it knew (imperfect recall), so best responses are not computed here.";
  const most = largest(game.arithmetic, state.found.gains);
  const exactly = game.arithmetic === EXACT ? ", exactly" : ", up to rounding";
  return game.arithmetic.compare(most, game.arithmetic.zero) <= 0
    ? `A Nash equilibrium: nobody gains by deviating${exactly}.`
    : `Not an equilibrium: \u03b5 = ${shown(game.arithmetic, most)}, the largest gain.`;
}
