// Numbers as the replay shows them. The raw value always stands beside it in the page, so nothing is lost by rounding.

const money = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const plain = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Money with two decimals: `4,008.22`. */
export function asMoney(value: number): string {
  return money.format(tidy(value));
}

/** A change of money, with its sign. */
export function asGain(value: number): string {
  return `${value < 0 ? "−" : "+"}${money.format(Math.abs(value))}`;
}

/** A number with so many decimals. */
export function fixed(value: number, decimals: number): string {
  return tidy(value).toFixed(decimals).replace("-", "−");
}

/** A count: `10,000`. */
export function asCount(value: number): string {
  return whole.format(value);
}

/** A number on an axis that reaches up to `high`: `8,000`, or `120K` where whole numbers would be too wide. */
export function onAxis(value: number, high: number): string {
  return (Math.abs(high) >= 100_000 ? short : plain).format(tidy(value)).replace("-", "−");
}

/** `A`, `A and B`, `A, B and C`. */
export function listed(names: string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : (names[0] ?? "");
}

/** Minus nought is nought to a reader. */
function tidy(value: number): number {
  return value === 0 ? 0 : value;
}
