// Scroll positions. A link opens a page at its top; going back restores the earlier position.
const places = new Map<number, number>();
/** The maximum time to wait until a page is as long as it was before. */
const MAX_WAIT_MS = 4000;
/** The numbers of the current and of the latest entry of this window's history. */
let current = 0;
let last = 0;
/** True if this entry was opened by a link, not by going back. */
let fresh = true;

interface Entry {
  ostrom?: number;
}

/** Start to record the scroll positions of this window's history. This must be called once, before the first page is
 * shown. */
export function trackPlaces(): void {
  history.scrollRestoration = "manual";
  noteEntry();
  window.addEventListener("hashchange", noteEntry);
  window.addEventListener("scroll", () => places.set(current, window.scrollY), { passive: true });
}

function noteEntry(): void {
  const known = (history.state as Entry | null)?.ostrom;
  if (known === current && last > 0) return;
  fresh = known === undefined;
  current = known ?? last + 1;
  last = Math.max(last, current);
  if (fresh) history.replaceState({ ...(history.state as Entry | null), ostrom: current }, "");
}

/** Scroll a new page to its top, or to its last position. */
export function restorePlace(): void {
  noteEntry();
  if (fresh) window.scrollTo(0, 0);
  else restore(places.get(current) ?? 0);
}

const USER_EVENTS = ["wheel", "touchstart", "keydown", "pointerdown"];

/** Scroll as soon as the page is long enough, unless the reader scrolls first. */
function restore(target: number): void {
  const until = performance.now() + MAX_WAIT_MS;
  let moved = false;
  const move = (): void => void (moved = true);
  for (const event of USER_EVENTS) window.addEventListener(event, move, { once: true, passive: true });
  requestAnimationFrame(function next() {
    const long = document.documentElement.scrollHeight - window.innerHeight;
    if (!moved) window.scrollTo(0, Math.min(target, long));
    if (!moved && long < target && performance.now() < until) requestAnimationFrame(next);
    else for (const event of USER_EVENTS) window.removeEventListener(event, move);
  });
}
