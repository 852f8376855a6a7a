/** Powers by suffix. Source: Kubernetes, `resource.Quantity`. */
const decimal: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  "": 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binary: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

const form = /^\+?(?=\.?[0-9])([0-9]*)\.?([0-9]*)(?:([eE][+-]?[0-9]{1,2})|([A-Za-z]{0,2}))$/;

/** Decimal places that are told apart. */
const places = 9;
const one = 10n ** BigInt(places);
const largest = (2n ** 63n - 1n) * one;

/**
 * A quantity as Kubernetes writes it (`1000`, `2G`, `4Ki`), in billionths, so that equal ones are equal; `undefined` for
 * any other text, and for one that is below 0 or does not fit into 63 bits.
 */
export function billionthsOf(quantity: string): bigint | undefined {
  const found = form.exec(quantity);
  if (found === null) return undefined;
  const [, whole = "", fraction = "", exponent, suffix = ""] = found;
  const power = exponent === undefined ? decimal[suffix] : Number(exponent.slice(1));
  const digits = BigInt(`${whole}${fraction}`);
  const shift = binary[suffix];
  if (power === undefined && shift === undefined) return undefined;
  const value = scaled(digits << BigInt(shift ?? 0), (power ?? 0) + places - fraction.length);
  return value > largest ? undefined : value;
}

/** What is less than the last place is rounded up, as Kubernetes does. */
function scaled(digits: bigint, power: number): bigint {
  if (power >= 0) return digits * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (digits + divisor - 1n) / divisor;
}
