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

function apply(): void {
  if (theme.chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.chosen;
  theme.shown = theme.chosen === "auto" ? (dark.matches ? "dark" : "light") : theme.chosen;
}

export function choose(chosen: Theme): void {
  theme.chosen = chosen;
  keepText("localStorage", KEY, chosen);
  apply();
}

dark.addEventListener("change", apply);
apply();
