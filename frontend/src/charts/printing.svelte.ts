// Printing a page with all of its charts. Charts are usually drawn only when they are near the screen, and browsers do
// not wait for them when they print. Therefore all charts are drawn first, in the light theme.
import { forceTheme } from "../lib/theme.svelte";

export const printing = $state<{
  /** True if all charts must be drawn, for printing. */
  on: boolean;
  /** The number of charts that have not been drawn yet. */
  waiting: number;
}>({ on: false, waiting: 0 });

const MAX_WAIT_MS = 60_000;
const STEP_MS = 60;
const pending = new Set<object>();
const places = new Set<object>();

/** True if there is any chart on the page. */
export const hasCharts = (): boolean => places.size > 0;

/** Register a chart or its placeholder. The returned functions report whether the chart is drawn, and that it was
 * removed. */
export function registerChart(): { done(done: boolean): void; gone(): void } {
  const chart = {};
  places.add(chart);
  pending.add(chart);
  return {
    done: (done) => {
      if (done) pending.delete(chart);
      else pending.add(chart);
    },
    gone: () => {
      places.delete(chart);
      pending.delete(chart);
    },
  };
}

/** Draw all charts, print, and restore the page. */
export async function printAll(): Promise<void> {
  if (printing.on) return;
  printing.on = true;
  forceTheme("light");
  try {
    // A chart that begins to load is registered one step later.
    for (let waited = 0, calm = 0; waited < MAX_WAIT_MS && calm < 3; waited += STEP_MS) {
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
      printing.waiting = pending.size;
      calm = pending.size ? 0 : calm + 1;
    }
    window.print();
  } finally {
    printing.on = false;
    printing.waiting = 0;
    forceTheme(null);
  }
}

/** Handle the browser's keyboard shortcut for printing. */
export function onPrintKey(event: KeyboardEvent): void {
  if (event.key.toLowerCase() !== "p" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || !hasCharts()) return;
  event.preventDefault();
  void printAll();
}
