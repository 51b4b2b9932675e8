// Learning curves with their bands, and tables of returns as heat maps.
"use strict";

const CHART = { width: 760, height: 340, left: 74, right: 210, top: 14, bottom: 44 }; // pixels
const DASHES = ["", "9 5", "2 4", "12 4 2 4"]; // once colors repeat
const COLORS = 6;

// Round numbers that divide a span: 0, 50, 100.
function ticks(low, high, wanted = 5) {
  const raw = (high - low || 1) / wanted, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((own) => own * power).find((own) => own >= raw);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) found.push(k * step);
  return found;
}

function powers(low, high) {
  const first = Math.floor(Math.log10(low)), last = Math.ceil(Math.log10(high));
  const step = Math.max(1, Math.ceil((last - first) / 6));
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, k) => 10 ** (first + k * step));
}

// Where numbers stand along an axis; on a logarithmic one those that are not above 0 stand nowhere.
function scaleOf(values, isLogarithmic, start, stop) {
  const kept = isLogarithmic ? values.filter((value) => value > 0) : values;
  let low = Math.min(...kept), high = Math.max(...kept);
  if (low === high) [low, high] = isLogarithmic ? [low / 2, high * 2] : [low - 0.5, high + 0.5];
  const at = isLogarithmic ? Math.log10 : (value) => value;
  const place = (value) => start + (stop - start) * (at(value) - at(low)) / (at(high) - at(low));
  const marks = isLogarithmic ? powers(low, high).filter((m) => m >= low * 0.999 && m <= high * 1.001) : ticks(low, high);
  return { place, marks, low };
}

function curveChart(curves, { isLogarithmic, measure }) {
  const { width, height, left, right, top, bottom } = CHART;
  const ups = curves.flatMap(({ mean, low, high }) => [...mean, ...low, ...high]).filter(Number.isFinite);
  const x = scaleOf(curves.flatMap(({ iterations }) => iterations), false, left, width - right);
  const y = scaleOf(ups, isLogarithmic, height - bottom, top);
  const fits = (value) => Number.isFinite(value) && (!isLogarithmic || value > 0);
  const grid = y.marks.flatMap((mark) => [
    svg("line", { class: "grid", x1: left, x2: width - right, y1: y.place(mark), y2: y.place(mark) }),
    svg("text", { class: "tick", x: left - 8, y: y.place(mark) + 4, "text-anchor": "end" }, rounded(mark).replaceAll("-", MINUS))]);
  const along = x.marks.map((mark) =>
    svg("text", { class: "tick", x: x.place(mark), y: height - bottom + 20, "text-anchor": "middle" }, mark.toLocaleString("en")));
  const lines = curves.map((curve, k) => {
    const at = curve.iterations.map((_, j) => j).filter((j) => fits(curve.mean[j]));
    const point = (name) => (j) => `${x.place(curve.iterations[j])},${y.place(fits(curve[name][j]) ? curve[name][j] : y.low)}`;
    return svg("g", { class: `curve p${k % COLORS}` },
      svg("polygon", { class: "band", points: [...at.map(point("high")), ...at.slice().reverse().map(point("low"))].join(" ") }),
      svg("polyline", { points: at.map(point("mean")).join(" "), "stroke-dasharray": DASHES[Math.floor(k / COLORS) % 4] || null }));
  });
  return svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `${measure} by iterations: ${curves.map(({ label }) => label).join(", ")}` },
  ...grid, ...along, ...lines, ...curveNames(curves, y),
  svg("line", { class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom }),
  svg("text", { class: "tick", x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, "iterations"));
}

// Names stand beside the ends of curves, pushed apart where they would touch.
function curveNames(curves, y) {
  const ends = curves.map((curve, k) => {
    const value = curve.mean.filter((own) => Number.isFinite(own)).at(-1);
    const place = Number.isFinite(y.place(value)) ? y.place(value) : CHART.height - CHART.bottom;
    return { k, label: curve.label, seeds: curve.seeds, at: place };
  }).sort((a, b) => a.at - b.at);
  ends.forEach((own, k) => { if (k) own.at = Math.max(own.at, ends[k - 1].at + 17); });
  const over = ends.length ? ends[ends.length - 1].at - (CHART.height - 8) : 0;
  if (over > 0) ends.forEach((own) => { own.at -= over; });
  return ends.map(({ k, label, seeds, at }) => svg("text", { class: `curve-name p${k % COLORS}`, x: CHART.width - CHART.right + 10, y: at + 4 },
    `${MARKS[k % MARKS.length]} ${label.length > 22 ? `${label.slice(0, 10)}\u2026${label.slice(-11)}` : label} (${seeds})`,
    svg("title", {}, `${label}, ${seeds} ${seeds === 1 ? "seed" : "seeds"}`)));
}

function curveTable(curves) {
  const known = curves.map((curve) => new Map(curve.iterations.map((own, k) => [own, curve.mean[k]])));
  const all = [...new Set(curves.flatMap(({ iterations }) => iterations))].sort((a, b) => a - b);
  const step = Math.ceil(all.length / 50);
  const kept = all.filter((_, k) => k % step === 0 || k === all.length - 1);
  return el("table", { class: "rows" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "iteration"), ...curves.map(({ label }) => el("th", { scope: "col" }, label)))),
    el("tbody", {}, ...kept.map((own) => el("tr", {}, el("th", { scope: "row" }, own.toLocaleString("en")),
      ...known.map((means) => el("td", { class: "number" }, means.has(own) ? rounded(means.get(own)).replaceAll("-", MINUS) : "\u2013"))))));
}

// Agents by bots: blue is won, orange is lost, and the number says how much.
function heatTable({ name, agents, bots, matches, means }) {
  const most = Math.max(...means.flat().map(Math.abs)) || 1;
  const cell = (mean) => el("td", { class: `heat ${mean < 0 ? "lost" : "won"}`, "--weight": `${Math.round(60 * Math.abs(mean) / most)}%` },
    rounded(mean).replaceAll("-", MINUS));
  return section(name,
    el("p", { class: "note" }, `What the agent of a row is paid on average in a match against the bot of a column; ${matches.toLocaleString("en")} `
      + `${matches === 1 ? "match" : "matches"} each. Blue is won, orange is lost.`),
    el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `returns of ${name}` }, el("table", { class: "matrix" },
      el("thead", {}, el("tr", {}, el("td"), ...bots.map((bot) => el("th", { scope: "col", class: "action" }, el("span", { class: "name" }, bot))))),
      el("tbody", {}, ...means.map((row, k) => el("tr", {}, el("th", { scope: "row", class: "action" }, el("span", { class: "name" }, agents[k])), ...row.map(cell)))))));
}
