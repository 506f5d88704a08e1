// The space for a replay: the height of the window, the size of text, and whether the replay fills the screen.
import { on } from "svelte/events";
import { createSubscriber } from "svelte/reactivity";

/** The height of the window below which all parts are placed closer together. */
const SHORT_HEIGHT = 800;
const FONT_SIZE = 16;

const follow = createSubscriber((update) => {
  const ends = [on(window, "resize", update), on(document, "fullscreenchange", update)];
  return () => ends.forEach((end) => end());
});

export const room = {
  /** The number of pixels for each pixel of the design. It is more than 1 in full screen, where text is larger. */
  get scale(): number {
    follow();
    return parseFloat(getComputedStyle(document.documentElement).fontSize) / FONT_SIZE;
  },
  get height(): number {
    follow();
    return window.innerHeight;
  },
  /** True if the height of the window is small. */
  get short(): boolean {
    return this.height / this.scale < SHORT_HEIGHT;
  },
  /** True if a replay fills the screen. */
  get full(): boolean {
    follow();
    return document.fullscreenElement !== null;
  },
};

/** Return the height from the upper edge of an element to the end of the window, without scrolling. */
export function below(element: Element): number {
  const scrolled = document.fullscreenElement?.scrollTop ?? window.scrollY;
  return room.height - element.getBoundingClientRect().top - scrolled;
}
