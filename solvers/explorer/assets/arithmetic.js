// Numbers: exact rationals of whole numbers of any length, or floats where a game is large.
"use strict";

const MINUS = "\u2212", ABOUT = "\u2248";
const LONGEST_EXACT = 9; // characters that are shown of a rational; longer ones are rounded

function divisor(a, b) {
  while (b) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
}

function fraction(numerator, denominator = 1n) {
  if (denominator === 0n) throw new RangeError("a fraction needs a denominator other than 0");
  if (denominator < 0n) [numerator, denominator] = [-numerator, -denominator];
  const common = divisor(numerator, denominator);
  return common === 1n
    ? { n: numerator, d: denominator }
    : { n: numerator / common, d: denominator / common };
}

// Reads "3", "-1/3", "0.25" and "2e-3"; gives null for what is no number.
function readFraction(text) {
  const plain = text.trim().replace(MINUS, "-");
  const ratio = /^([+-]?\d+)(?:\s*\/\s*(\d+))?$/.exec(plain);
  if (ratio) {
    const below = BigInt(ratio[2] ?? "1");
    return below ? fraction(BigInt(ratio[1]), below) : null;
  }
  const decimal = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d{1,3}))?$/i.exec(plain);
  if (!decimal || !(decimal[2] || decimal[3])) return null;
  const digits = BigInt(decimal[1] + (decimal[2] + decimal[3]));
  const power = Number(decimal[4] ?? 0) - decimal[3].length;
  return power < 0 ? fraction(digits, 10n ** BigInt(-power)) : fraction(digits * 10n ** BigInt(power));
}

// The nearest float, whatever the lengths of the two whole numbers.
function ratioNumber(n, d) {
  if (n < 0n) return -ratioNumber(-n, d);
  if (n === 0n) return 0;
  const shift = d.toString(2).length - n.toString(2).length + 64; // 64 bits of the quotient
  const quotient = shift >= 0 ? (n << BigInt(shift)) / d : n / (d << BigInt(-shift));
  const half = -Math.trunc(shift / 2); // two steps: 2 ** -shift alone may be out of range
  return Number(quotient) * 2 ** half * 2 ** (-shift - half);
}

const EXACT = Object.freeze({
  name: "exact",
  zero: fraction(0n),
  one: fraction(1n),
  read: readFraction,
  add: (a, b) =>
    a.n === 0n ? b : b.n === 0n ? a
      : a.d === b.d ? fraction(a.n + b.n, a.d) : fraction(a.n * b.d + b.n * a.d, a.d * b.d),
  subtract: (a, b) => EXACT.add(a, { n: -b.n, d: b.d }),
  multiply: (a, b) => (a.n === 0n || b.n === 0n ? EXACT.zero : fraction(a.n * b.n, a.d * b.d)),
  divide: (a, b) => fraction(a.n * b.d, a.d * b.n),
  compare: (a, b) => {
    const left = a.n * b.d, right = b.n * a.d;
    return left < right ? -1 : left > right ? 1 : 0;
  },
  isZero: (a) => a.n === 0n,
  number: (a) => ratioNumber(a.n, a.d),
  text: (a) => (a.d === 1n ? `${a.n}` : `${a.n}/${a.d}`),
});

const FLOATS = Object.freeze({
  name: "float",
  zero: 0,
  one: 1,
  read: (text) => {
    const exact = readFraction(text);
    return exact && EXACT.number(exact);
  },
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
  compare: (a, b) => (Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b)) ? 0 : a - b),
  isZero: (a) => a === 0,
  number: (a) => a,
  text: (a) => `${a}`,
});

// A number of at most four digits: 0.3333, 12340, 1.2e-7.
function rounded(value) {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) {
    return value.toExponential(3).replace(/\.?0+e/, "e").replace("e+", "e");
  }
  return `${size >= 1e4 ? Math.round(value) : Number(value.toPrecision(4))}`;
}

// The same of a rational that no float holds: 1.393e400.
function roundedRatio({ n, d }) {
  const value = ratioNumber(n, d);
  if (n === 0n || (Number.isFinite(value) && value !== 0)) return rounded(value);
  const size = n < 0n ? -n : n, shift = BigInt(d.toString().length - size.toString().length + 4);
  const digits = (shift < 0n ? size / (d * 10n ** -shift) : size * 10n ** shift / d).toString();
  const parts = `${digits[0]}.${digits.slice(1, 4)}`.replace(/\.?0+$/, "");
  return `${n < 0n ? "-" : ""}${parts}e${BigInt(digits.length - 1) - shift}`;
}

// What people read: exact where that is short, else rounded and marked as such.
function shown(arithmetic, value) {
  const exact = arithmetic.text(value);
  const short = arithmetic === EXACT
    ? exact.replace("-", "").length <= LONGEST_EXACT ? exact : ABOUT + roundedRatio(value)
    : (Number(rounded(value)) === value ? "" : ABOUT) + rounded(value);
  return short.replaceAll("-", MINUS);
}

function sum(arithmetic, values) {
  return values.reduce(arithmetic.add, arithmetic.zero);
}

// What is gained beyond a payoff; of floats, what is within rounding is nothing.
function gainsOf(arithmetic, best, payoffs) {
  return best.map((value, i) => (arithmetic.compare(value, payoffs[i]) === 0
    ? arithmetic.zero : arithmetic.subtract(value, payoffs[i])));
}

function largest(arithmetic, values) {
  return values.reduce((best, own) => (arithmetic.compare(own, best) > 0 ? own : best));
}
