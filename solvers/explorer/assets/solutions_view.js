// Answers to choose from, what is proved about the one that is shown, and how to check that.
"use strict";

const MOST_LISTED = 200; // solutions of one answer

function solutionsView(data, game, state) {
  const groups = data.answers.map((answer, k) => answerGroup(data, game, state, answer, k));
  const own = el("label", { class: "choice" },
    el("input", { type: "radio", name: "solution", value: "own", onchange: () => state.change(state.profile) }),
    el("span", {}, "Your own profile"));
  state.watch(() => {
    const value = state.shown ? `${state.shown.answer}-${state.shown.solution}` : "own";
    for (const radio of document.querySelectorAll("input[name=solution]")) radio.checked = radio.value === value;
  });
  const missing = (data.notes ?? []).map((words) => el("p", { class: "note" }, words));
  return section("Solutions", ...groups, own, ...missing);
}

function answerGroup(data, game, state, answer, k) {
  const known = answer.complete === true ? ", complete" : answer.complete === false ? ", perhaps not all" : "";
  const choices = answer.solutions.slice(0, MOST_LISTED).map((solution, j) => el("label", { class: "choice" },
    el("input", { type: "radio", name: "solution", value: `${k}-${j}`, onchange: () => state.show(k, j) }),
    el("span", {}, ...choiceTexts(game, answer, solution, j))));
  const hidden = answer.solutions.length - choices.length;
  return el("fieldset", { class: "answers", "data-concept": answer.concept },
    el("legend", {}, `${conceptWords(answer.concept)} (${answer.solutions.length}${known})`),
    el("div", { class: "choices" }, ...choices),
    answer.solutions.length ? null : el("p", { class: "note" }, answer.complete ? "There is none." : "None was found."),
    hidden > 0 ? el("p", { class: "note" }, `${hidden.toLocaleString("en")} more are in the file of this answer.`) : null,
    answer.evidence ? el("p", { class: "note" }, answer.evidence) : null);
}

function choiceTexts(game, answer, solution, j) {
  const paid = solution.payoffs.map((text) => shown(EXACT, readFraction(text))).join(", ");
  const number = answer.solutions.length > 1 ? `${j + 1}: ` : "";
  return [`${number}${supportText(game, solution.profile)}`, paid ? el("span", { class: "paid" }, ` pays (${paid})`) : null];
}

// What is played, in words, if that is short.
function supportText(game, profile) {
  if (profile?.strategies) {
    const parts = profile.strategies.map((row, i) => row
      .map((share, a) => (share === "0" ? "" : labelOf(game.record.actions[i], a))).filter(Boolean).join(" + "));
    const words = parts.join(" / ");
    return words.length <= 60 ? words : profile.strategies.map((row) => row.filter((share) => share !== "0").length).join(" / ") + " actions";
  }
  if (profile?.joint_actions) return `${profile.joint_actions.length} joint action${profile.joint_actions.length > 1 ? "s" : ""}`;
  if (profile?.infosets) {
    const mixed = profile.infosets.filter((own) => own.probabilities.every((share) => share !== "1")).length;
    return mixed ? `mixed at ${mixed} of ${profile.infosets.length} information sets` : "pure";
  }
  if (profile?.profiles) return `one of ${profile.profiles.length} recommended profile${profile.profiles.length > 1 ? "s" : ""}`;
  return "answer";
}

function conceptWords(concept) {
  const words = {
    nash: "A Nash equilibrium", "all-nash": "Nash equilibria", "pure-nash": "Pure Nash equilibria",
    minimax: "Minimax strategies", correlated: "Correlated equilibrium", stackelberg: "Strong Stackelberg equilibrium",
    "subgame-perfect": "Subgame-perfect equilibrium", sequential: "Sequential equilibrium",
    "extensive-form-correlated": "Extensive-form correlated equilibrium", "quasi-perfect": "Quasi-perfect equilibrium",
  };
  const plain = concept.replaceAll("-", " ");
  return words[concept] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}

function proofView(data, game, state) {
  const box = el("div", {});
  state.watch(() => box.replaceChildren(...proofParts(data, game, state)));
  return section("Proof", box);
}

function proofParts(data, game, state) {
  if (!state.shown) {
    return [el("p", {}, "Choose a solution above to see what is proved about it. What this page says of a profile of your own "
      + "is computed here, and not certified.")];
  }
  const answer = data.answers[state.shown.answer], solution = answer.solutions[state.shown.solution];
  const name = `${data.slug}-${answer.concept}.json`;
  return [
    el("p", { class: "statement" }, el("strong", {}, "Certified: "), solution.certificate.statement, "."),
    answer.algorithm ? el("p", { class: "note" }, `Found by ${answer.algorithm}${answer.reason ? `: ${answer.reason}` : ""}.`) : null,
    solution.table ? answerTable(solution.table) : null,
    el("p", {}, "The certificate can be checked in exact arithmetic without the solver that found the answer. Save it, and run"),
    el("pre", {}, el("code", { id: "command" }, `python -m gametheory_core verify ${name}`)),
    el("p", {}, "or, in Python,"),
    el("pre", {}, el("code", { id: "snippet" }, verification(name))),
    el("div", { class: "controls" },
      el("button", { type: "button", id: "save", onclick: () => download(name, answerFile(data, answer)) }, `Save ${name}`)),
    el("details", { ontoggle: (event) => unrollFile(event.target, data, answer) }, el("summary", {}, "Look into the file")),
  ].filter(Boolean);
}

function unrollFile(details, data, answer) {
  if (details.open && !details.querySelector("pre")) {
    details.append(el("pre", { class: "file", tabindex: "0" }, el("code", {}, answerFile(data, answer))));
  }
}

function verification(name) {
  return `from gametheory_core.formats import parse_json, read_text, verified_certificates

name = "${name}"
for certificate in verified_certificates(parse_json(read_text(name), name=name)):
    print("verified:", certificate.statement)`;
}

// The file of an answer as \`solve\` would write it: the game stands once in this page.
function answerFile(data, answer) {
  const { solutions, ...rest } = answer;
  const plain = solutions.map(({ table, ...own }) => own);
  return JSON.stringify({ ...rest, game: { ...answer.game, record: data.game }, solutions: plain }, null, 2);
}

function answerTable({ columns, rows }) {
  return el("table", { class: "rows" },
    el("thead", {}, el("tr", {}, ...columns.map((own) => el("th", { scope: "col" }, own)))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((own) => el("td", {}, own))))));
}
