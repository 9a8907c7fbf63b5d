// Money as text: no float comes near it.

/** An integer of 10^-12 units, or undefined where the text is no decimal. */
export function parse(text) {
  const [, whole, fraction = ''] =
    (typeof text === 'string' && /^(\d{1,15})(?:\.(\d{1,12}))?$/.exec(text)) || [];
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(12, '0'));
}

/** Source amount for a target amount, rounded up to cents. `rate`: target units per source unit. */
export function sourceFor(target, rate) {
  const cents = (parse(target) * 100n + parse(rate) - 1n) / parse(rate);
  const digits = cents.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
