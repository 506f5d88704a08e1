// The space of a replay: the window's height, the size of text, and whether it fills the screen.
import { on } from "svelte/events";
import { createSubscriber } from "svelte/reactivity";

/** Below this height everything is placed closer together. */
const SHORT_HEIGHT = 800;
const FONT_SIZE = 16;

const follow = createSubscriber((update) => {
  const ends = [on(window, "resize", update), on(document, "fullscreenchange", update)];
  return () => ends.forEach((end) => end());
});

export const room = {
  /** Pixels per pixel of the design: more than 1 in full screen, where text is larger. */
  get scale(): number {
    follow();
    return parseFloat(getComputedStyle(document.documentElement).fontSize) / FONT_SIZE;
  },
  get height(): number {
    follow();
    return window.innerHeight;
  },
  /** True if the height is small. */
  get short(): boolean {
    return this.height / this.scale < SHORT_HEIGHT;
  },
  /** True if a replay fills the screen. */
  get full(): boolean {
    follow();
    return document.fullscreenElement !== null;
  },
};

/** The height left below the upper edge of an element, without scrolling. */
export function below(element: Element): number {
  const scrolled = document.fullscreenElement?.scrollTop ?? window.scrollY;
  return room.height - element.getBoundingClientRect().top - scrolled;
}
