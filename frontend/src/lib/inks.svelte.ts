// The colours of players in the current theme; the server sends those of the dark theme.
import { lab } from "./lab.svelte";
import { theme } from "./theme.svelte";

export const shownInk = (colour: string): string => (theme.shown === "dark" ? (lab.info?.inks[colour] ?? colour) : colour);
