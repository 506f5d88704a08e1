// Links that land: what stands above a place may still grow while it is being drawn, and pushes it away.
const LONGEST = 6000;
const MOVES = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

let stop = (): void => undefined;

/** Go to the element of this id, and stay there while the page grows, until the reader moves by themselves. */
export function land(id: string): void {
  stop();
  const there = (): void => document.getElementById(id)?.scrollIntoView({ block: "start" });
  const growth = new ResizeObserver(there);
  const timer = setTimeout(() => stop(), LONGEST);
  const ended = (): void => stop();
  stop = () => {
    growth.disconnect();
    clearTimeout(timer);
    for (const move of MOVES) window.removeEventListener(move, ended);
  };
  growth.observe(document.body);
  for (const move of MOVES) window.addEventListener(move, ended, { passive: true });
  there();
}
