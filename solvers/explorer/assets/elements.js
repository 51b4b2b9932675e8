// Elements of the page. Labels only ever become text nodes and attributes, never markup.
"use strict";

const MARKS = ["\u25cf", "\u25a0", "\u25b2", "\u25c6", "\u25bc", "\u2605"]; // beside colors: players in turn
const SVG = "http://www.w3.org/2000/svg";
const PAGES = {}; // what builds each kind of page

// el("button", { class: "quiet", onclick: act }, "Uniform"); what is null is left out.
function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((own) => own !== null && own !== undefined));
  return element;
}

// A number that shows its exact value where it is rounded.
function numberIn(element, arithmetic, value) {
  const text = value === null ? "\u2013" : shown(arithmetic, value);
  element.textContent = text;
  if (text.startsWith(ABOUT) && arithmetic === EXACT) element.title = arithmetic.text(value);
  else element.removeAttribute("title");
  return element;
}

function playerName(data, player) {
  if (player < 0) return "Chance";
  const label = data.game.players[player];
  return /\D/.test(label) ? label : `player ${label || player + 1}`;
}

// A player's name with its color and its mark.
function playerTag(data, player) {
  return el("span", { class: `player p${player % MARKS.length}` },
    el("span", { class: "mark", "aria-hidden": "true" }, MARKS[player % MARKS.length]),
    playerName(data, player));
}

function labelOf(actions, a) {
  return actions[a] || `#${a + 1}`;
}

function section(title, ...children) {
  const heading = el("h2", {}, title);
  const own = el("section", {}, heading, ...children);
  heading.id = `part-${title.toLowerCase().replace(/\W+/g, "-")}`;
  own.setAttribute("aria-labelledby", heading.id);
  return own;
}

function download(name, text) {
  const link = el("a", { download: name, href: URL.createObjectURL(new Blob([text], { type: "application/json" })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
