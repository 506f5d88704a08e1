// Printing a page gives all of its charts. They are drawn when a reader comes near, and a browser waits for nothing once
// it prints; so the page is told first, draws whatever is not drawn yet, on white paper, and is printed then.
import { forced } from "../lib/theme.svelte";

export const printing = $state<{
  /** Whether everything is to be there, for the printer. */
  on: boolean;
  /** How many charts are still on their way. */
  waiting: number;
}>({ on: false, waiting: 0 });

const PATIENCE = 60_000;
const STEP = 60;
const pending = new Set<object>();
const places = new Set<object>();

/** Whether there is any chart on the page. */
export const hasCharts = (): boolean => places.size > 0;

/** A chart, or the place of one, says that it is on the page; the function that it gets says whether it is drawn. */
export function onPage(): { done(done: boolean): void; gone(): void } {
  const me = {};
  places.add(me);
  pending.add(me);
  return {
    done: (done) => {
      if (done) pending.delete(me);
      else pending.add(me);
    },
    gone: () => {
      places.delete(me);
      pending.delete(me);
    },
  };
}

/** Draw everything, print, and go back. */
export async function printAll(): Promise<void> {
  if (printing.on) return;
  printing.on = true;
  forced("light");
  try {
    // What is on its way shows itself one step later.
    for (let waited = 0, calm = 0; waited < PATIENCE && calm < 3; waited += STEP) {
      await new Promise((resolve) => setTimeout(resolve, STEP));
      printing.waiting = pending.size;
      calm = pending.size ? 0 : calm + 1;
    }
    window.print();
  } finally {
    printing.on = false;
    printing.waiting = 0;
    forced(null);
  }
}

/** The browser's own key for it. */
export function onPrintKey(event: KeyboardEvent): void {
  if (event.key.toLowerCase() !== "p" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || !hasCharts()) return;
  event.preventDefault();
  void printAll();
}
