// Amounts of money and points in the language of the page.
import { language } from "../../lib/words.svelte";

/** Return an amount such as 3,50 €. The amount is a decimal number as text. */
export function money(amount: string, currency: string): string {
  try {
    return new Intl.NumberFormat(language(), { style: "currency", currency }).format(Number(amount));
  } catch {
    // The currency is a word of the experimenter's own, such as tokens.
    return `${decimal(Number(amount))} ${currency}`;
  }
}

/** Return a number with at most two decimals. */
export function decimal(value: number): string {
  try {
    return new Intl.NumberFormat(language(), { maximumFractionDigits: 2 }).format(value).replace("-", "−");
  } catch {
    return String(value);
  }
}
