// Light, dark, or as the system has it; kept in this browser.
export type Theme = "auto" | "light" | "dark";
const KEY = "ostrom-theme";

function kept(): Theme {
  try {
    const found = localStorage.getItem(KEY);
    return found === "light" || found === "dark" ? found : "auto";
  } catch {
    return "auto";
  }
}

const dark = window.matchMedia("(prefers-color-scheme: dark)");

export const theme = $state<{
  chosen: Theme;
  /** What is shown: for what is not drawn by style sheets alone, a chart. */
  shown: "light" | "dark";
}>({ chosen: kept(), shown: "light" });

function apply(): void {
  if (theme.chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.chosen;
  theme.shown = theme.chosen === "auto" ? (dark.matches ? "dark" : "light") : theme.chosen;
}

export function choose(chosen: Theme): void {
  theme.chosen = chosen;
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // A browser that keeps nothing: the choice lasts as long as the page.
  }
  apply();
}

dark.addEventListener("change", apply);
apply();
