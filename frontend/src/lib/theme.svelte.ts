// The theme: light, dark, or that of the system. The choice is stored in this browser.
import { flushSync } from "svelte";

import { storeText, readText } from "./storage";

export type Theme = "auto" | "light" | "dark";
const KEY = "ostrom-theme";

const stored = readText("localStorage", KEY);
const dark = window.matchMedia("(prefers-color-scheme: dark)");
/** Paper is white: pages are printed in the light theme. */
const paper = window.matchMedia("print");

export const theme = $state<{
  chosen: Theme;
  /** The current theme. Charts need it, since style sheets alone do not change their colours. */
  shown: "light" | "dark";
}>({ chosen: stored === "light" || stored === "dark" ? stored : "auto", shown: "light" });

let forcedTheme: "light" | null = null;

function apply(): void {
  const wanted = forcedTheme ?? (paper.matches ? "light" : theme.chosen);
  if (wanted === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = wanted;
  theme.shown = wanted === "auto" ? (dark.matches ? "dark" : "light") : wanted;
}

/** Force the light theme for printing, or return to the chosen theme. */
export function forceTheme(light: "light" | null): void {
  forcedTheme = light;
  apply();
}

export function choose(chosen: Theme): void {
  theme.chosen = chosen;
  storeText("localStorage", KEY, chosen);
  apply();
}

dark.addEventListener("change", apply);
paper.addEventListener("change", () => flushSync(apply));
apply();
