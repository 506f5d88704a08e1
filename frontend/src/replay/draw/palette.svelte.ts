// The colours of the page as values for canvases. They are read again when the theme changes.
const NAMES = ["paper", "card", "sunk", "ink", "soft", "line", "strong-line", "accent", "gold", "bad", "sans"] as const;

export type Palette = Record<(typeof NAMES)[number], string> & { seats: string[] };

function read(): Palette {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const named = Object.fromEntries(NAMES.map((name) => [name, value(name)])) as Record<(typeof NAMES)[number], string>;
  return { ...named, seats: Array.from({ length: 16 }, (_, seat) => value(`seat-${seat}`)) };
}

let current = $state.raw(read());

const refresh = (): void => void (current = read());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", refresh);
new MutationObserver(refresh).observe(document.documentElement, { attributeFilter: ["data-theme"] });

/** Return the current colours. An effect that uses them runs again when they change. */
export const palette = (): Palette => current;

/** Return a colour of the palette as red, green and blue. */
export function channels(colour: string): [number, number, number] {
  const digits = /^#([0-9a-f]{6})$/i.exec(colour)?.[1];
  if (!digits) return [128, 128, 128];
  const all = parseInt(digits, 16);
  return [all >> 16, (all >> 8) & 255, all & 255];
}
