// Scrolling to an element, even while content above it is still loading and moves the element.
const MAX_FOLLOW_MS = 6000;
const MOVES = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

let stop = (): void => undefined;

/** Scroll to the element with this id, and keep it in place while the page grows, until the reader scrolls. */
export function scrollToElement(id: string): void {
  stop();
  const scroll = (): void => document.getElementById(id)?.scrollIntoView({ block: "start" });
  const growth = new ResizeObserver(scroll);
  const timer = setTimeout(() => stop(), MAX_FOLLOW_MS);
  const cancel = (): void => stop();
  stop = () => {
    growth.disconnect();
    clearTimeout(timer);
    for (const move of MOVES) window.removeEventListener(move, cancel);
  };
  growth.observe(document.body);
  for (const move of MOVES) window.addEventListener(move, cancel, { passive: true });
  scroll();
}
