// Numbers as the replay shows them. The raw value always stands beside it in the page, so nothing is lost by rounding.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const plain = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** A count: `10,000`. */
export const asCount = (value: number): string => whole.format(value);

/** A number on an axis that reaches up to `high`: `8,000`, or `120K` where whole numbers would be too wide. */
export function onAxis(value: number, high: number): string {
  // Minus nought is nought to a reader.
  return (Math.abs(high) >= 100_000 ? short : plain).format(value === 0 ? 0 : value).replace("-", "−");
}

/** `A`, `A and B`, `A, B and C`. */
export const listed = (names: string[]): string => names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : (names[0] ?? "");
