// The page of a folder of runs: for each game its curves, and what each run was judged.
"use strict";

function runPage(data, root) {
  root.append(...data.games.flatMap((game, k) => gameSections(game, k)), ...data.tables.map(heatTable));
  window.explorer = { data };
}

function gameSections(game, k) {
  const title = game.name;
  return [
    game.measures.length ? section(title, ...curvesPart(game, k)) : section(title, el("p", { class: "note" }, "No curve was logged.")),
    section(`What was learned: ${title}`, findingsTable(game.runs), ...proofs(game.runs)),
  ];
}

function curvesPart(game, k) {
  const box = el("figure", {}), measure = el("select", { id: `measure-${k}`, onchange: () => draw() },
    ...game.measures.map(({ name }, j) => el("option", { value: j }, name)));
  const logarithmic = el("input", { type: "checkbox", id: `logarithmic-${k}`, onchange: () => draw() });
  const draw = () => {
    const { name, curves } = game.measures[Number(measure.value || 0)];
    const positive = curves.some(({ mean }) => mean.some((value) => value > 0));
    logarithmic.disabled = !positive;
    const numbers = el("details", {}, el("summary", {}, "Numbers"), el("div", { class: "scroll" }, curveTable(curves)));
    box.replaceChildren(curveChart(curves, { isLogarithmic: positive && logarithmic.checked, measure: name }), numbers);
  };
  draw();
  return [
    el("div", { class: "controls" }, el("label", {}, "Measure ", measure), el("label", {}, logarithmic, " logarithmic")),
    box,
    el("p", { class: "note" }, "Lines are means over seeds, bands Student\u2019s 95 % intervals; the number of seeds stands behind each name."),
  ];
}

// A row for each run, a column for each finding; over it, what its numbers stand on.
function findingsTable(runs) {
  const names = [...new Set(runs.flatMap(({ findings }) => findings.map(({ name }) => name)))];
  const standings = (name) => [...new Set(runs.flatMap(({ findings }) =>
    findings.filter((own) => own.name === name).map(({ standing }) => standing)))].join(", ");
  const rows = runs.map((run) => el("tr", {},
    el("th", { scope: "row" }, run.label), el("td", { class: "number" }, `${run.seed}`),
    el("td", {}, run.message || run.status), el("td", { class: "number" }, run.iterations.toLocaleString("en")),
    ...names.map((name) => findingCell(run.findings.find((own) => own.name === name)))));
  const heads = ["experiment", "seed", "run", "iterations"].map((own, k) =>
    el("th", { scope: "col", class: k % 2 ? "number" : null }, own));
  return el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "findings" }, el("table", { class: "rows" },
    el("thead", {}, el("tr", {}, ...heads, ...names.map((name) => el("th", { scope: "col", class: "number" }, name,
      el("span", { class: "standing" }, standings(name)))))),
    el("tbody", {}, ...rows)));
}

function findingCell(finding) {
  if (!finding) return el("td", { class: "number" }, "\u2013");
  const { exact, decimal, standing, error } = finding;
  const about = rounded(decimal).replaceAll("-", MINUS), text = exact.replaceAll("-", MINUS);
  const words = error !== null ? `${ABOUT}${about} \u00b1 ${rounded(error)}` : text.length <= LONGEST_EXACT ? text : ABOUT + about;
  return el("td", { class: "number", title: `${exact || about}, ${standing}` }, words);
}

function proofs(runs) {
  const files = runs.flatMap(({ certificates }) => certificates);
  if (!files.length) return [];
  return [el("details", {}, el("summary", {}, `Verify ${files.length} certificate${files.length > 1 ? "s" : ""}, in this folder`),
    el("pre", { tabindex: "0" }, el("code", {}, files.map((own) => `python -m gametheory_core verify ${quoted(own)}`).join("\n"))))];
}

function quoted(path) {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

PAGES.runs = runPage;
