// Numbers for people.

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const prefixes = {'-12': 'p', '-9': 'n', '-6': 'µ', '-3': 'm', 0: '', 3: 'k', 6: 'M', 9: 'G', 12: 'T'};

function superscript(exponent) {
  return (exponent < 0 ? '⁻' : '') + [...String(Math.abs(exponent))].map((digit) => superscripts[digit]).join('');
}

/** Four significant digits, without a tail of zeros. */
export function number(value, digits = 4) {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e6 || size < 1e-4)) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
    return `${Number(mantissa)}·10${superscript(Number(exponent))}`;
  }
  return String(Number(value.toPrecision(digits)));
}

export function whole(value) {
  return Math.round(value).toLocaleString('en-GB');
}

/**
 * The power of 1000 in which numbers up to `most` read well, and the unit that says so. Prefixes only suit units of
 * one letter ("kJ"); others get the power of ten in front.
 */
export function readable(unit, most) {
  const power = most > 0 ? 3 * Math.floor(Math.log10(most * 1.0001) / 3) : 0;
  const exponent = most >= 0.1 && most < 1e4 ? 0 : power;
  if (exponent === 0) return {factor: 1, unit};
  if (unit.length === 1 && exponent in prefixes) return {factor: 10 ** -exponent, unit: prefixes[exponent] + unit};
  return {factor: 10 ** -exponent, unit: `10${superscript(exponent)} ${unit}`};
}

/** Round numbers from low to high, about `count` of them. */
export function ticks(low, high, count) {
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((multiple) => 1.42 * multiple * power >= rough);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const out = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) {
    const value = k === 0 ? 0 : k * step;
    out.push({value, label: value.toFixed(Math.min(decimals, 12)).replace('-', '−')});
  }
  return out;
}

/** The greatest of 1, 2, 5 times a power of ten that is not above the value. */
export function roundBelow(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [5, 2, 1].find((multiple) => multiple * power <= value * 1.000001);
}

/** Powers of ten between 10^low and 10^high, about `count` of them; with 2 and 5 between them where there are few. */
export function decades(low, high, count) {
  const every = Math.max(1, Math.ceil((high - low) / Math.max(1, count)));
  const multiples = 3 * (high - low) <= count ? [1, 2, 5] : [1];
  const out = [];
  for (let k = Math.floor(low); k <= high; k++) {
    if (k % every !== 0) continue;
    for (const multiple of multiples) {
      const value = multiple * 10 ** k;
      if (Math.log10(value) < low - 1e-9 || Math.log10(value) > high + 1e-9) continue;
      out.push({value, label: Math.abs(k) > 4 ? number(value).replace(/^1·/, '') : String(Number(value.toPrecision(3)))});
    }
  }
  return out;
}
