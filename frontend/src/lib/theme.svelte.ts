// Light, dark, or as the system has it; kept in this browser.
import { keepText, readKept } from "./storage";

export type Theme = "auto" | "light" | "dark";
const KEY = "ostrom-theme";

const found = readKept("localStorage", KEY);
const dark = window.matchMedia("(prefers-color-scheme: dark)");

export const theme = $state<{
  chosen: Theme;
  /** What is shown: for what is not drawn by style sheets alone, a chart. */
  shown: "light" | "dark";
}>({ chosen: found === "light" || found === "dark" ? found : "auto", shown: "light" });

let instead: "light" | null = null;

function apply(): void {
  const wanted = instead ?? theme.chosen;
  if (wanted === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = wanted;
  theme.shown = wanted === "auto" ? (dark.matches ? "dark" : "light") : wanted;
}

/** Show light whatever was chosen, for paper; or what was chosen again. */
export function forced(light: "light" | null): void {
  instead = light;
  apply();
}

export function choose(chosen: Theme): void {
  theme.chosen = chosen;
  keepText("localStorage", KEY, chosen);
  apply();
}

dark.addEventListener("change", apply);
apply();
