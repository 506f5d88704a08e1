// The colours of players on the paper that is shown; the server says which ink is which on dark paper.
import { lab } from "./lab.svelte";
import { theme } from "./theme.svelte";

export const shownInk = (colour: string): string => (theme.shown === "dark" ? (lab.info?.inks[colour] ?? colour) : colour);
