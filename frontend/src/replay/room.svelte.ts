// The room that a replay has: the window's height, how large letters are, and whether it fills the screen.
import { on } from "svelte/events";
import { createSubscriber } from "svelte/reactivity";

/** Below this many lines of letters there is no room to spare. */
const SHORT = 800;
const LETTERS = 16;

const follow = createSubscriber((update) => {
  const ends = [on(window, "resize", update), on(document, "fullscreenchange", update)];
  return () => ends.forEach((end) => end());
});

export const room = {
  /** How many pixels a pixel of the design takes: more than 1 on a full screen, where all letters grow with it. */
  get scale(): number {
    follow();
    return parseFloat(getComputedStyle(document.documentElement).fontSize) / LETTERS;
  },
  get height(): number {
    follow();
    return window.innerHeight;
  },
  /** Whether it is so low that everything stands closer together. */
  get short(): boolean {
    return this.height / this.scale < SHORT;
  },
  /** Whether a replay fills the screen. */
  get full(): boolean {
    follow();
    return document.fullscreenElement !== null;
  },
};

/** The height that is left below the upper edge of an element, before anything is scrolled. */
export function below(element: Element): number {
  const scrolled = document.fullscreenElement?.scrollTop ?? window.scrollY;
  return room.height - element.getBoundingClientRect().top - scrolled;
}
