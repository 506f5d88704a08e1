// Where on a page the reader was. A link opens a page at its top; the way back leads to where one was.
const places = new Map<number, number>();
/** How long a page may take to be as long as it was. */
const PATIENCE_MS = 4000;
/** Entries of this window's history are numbered; the one that is shown, and the last one that was made. */
let here = 0;
let last = 0;
/** Whether a link led to this entry, rather than the way back. */
let fresh = true;

interface Entry {
  ostrom?: number;
}

/** Begin to keep the places of this window's history; must be called once, before the first page is shown. */
export function keepPlaces(): void {
  history.scrollRestoration = "manual";
  note();
  window.addEventListener("hashchange", note);
  window.addEventListener("scroll", () => places.set(here, window.scrollY), { passive: true });
}

function note(): void {
  const known = (history.state as Entry | null)?.ostrom;
  if (known === here && last > 0) return;
  fresh = known === undefined;
  here = known ?? last + 1;
  last = Math.max(last, here);
  if (fresh) history.replaceState({ ...(history.state as Entry | null), ostrom: here }, "");
}

/** The page has changed: go to its top, or to where the reader left it. */
export function arrive(): void {
  note();
  if (fresh) window.scrollTo(0, 0);
  else restore(places.get(here) ?? 0);
}

const OWN = ["wheel", "touchstart", "keydown", "pointerdown"];

/** Scroll as soon as the page is long enough; whoever moves meanwhile stays where they are. */
function restore(wanted: number): void {
  const until = performance.now() + PATIENCE_MS;
  let moved = false;
  const move = (): void => void (moved = true);
  for (const event of OWN) window.addEventListener(event, move, { once: true, passive: true });
  requestAnimationFrame(function next() {
    const long = document.documentElement.scrollHeight - window.innerHeight;
    if (!moved) window.scrollTo(0, Math.min(wanted, long));
    if (!moved && long < wanted && performance.now() < until) requestAnimationFrame(next);
    else for (const event of OWN) window.removeEventListener(event, move);
  });
}
