// Single-key shortcuts, and whether they are on. They can be turned off for speech input (WCAG 2.1.4); the choice is stored
// in this browser.
import { storeText, readText } from "./storage";

const KEY = "ostrom-shortcuts";

export const shortcuts = $state({ on: readText("localStorage", KEY) !== "off" });

export function allow(on: boolean): void {
  shortcuts.on = on;
  storeText("localStorage", KEY, on ? "on" : "off");
}

/** True if a key is meant for the focused element or the browser, not for the page. */
export function isForFocus(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return true;
  const target = event.target as Element | null;
  if (document.querySelector("dialog[open]")) return true;
  return target instanceof Element && target.matches("input:not([type=range], [type=radio], [type=checkbox]), select, textarea, [contenteditable]");
}

export interface Keys {
  title: string;
  keys: { press: string[]; does: string }[];
}

export const REPLAY_KEYS: Keys = {
  title: "In a replay",
  keys: [
    { press: ["Space"], does: "Play or pause" },
    { press: ["←", "→"], does: "One moment back or forward" },
    { press: ["Shift ←", "Shift →"], does: "One round back or forward; ten turns if each moment is a turn" },
    { press: ["Home", "End"], does: "To the beginning or the end" },
    { press: ["N", "P"], does: "Next or previous key moment or note" },
    { press: ["B"], does: "Bookmark this moment" },
    { press: ["+", "−"], does: "Faster or slower" },
    { press: ["F"], does: "Enter or leave full screen" },
  ],
};

export const LAB_KEYS: Keys = {
  title: "Everywhere",
  keys: [
    { press: ["?"], does: "Show these keys" },
    { press: ["G then H"], does: "Home" },
    { press: ["G then G"], does: "Games" },
    { press: ["G then C"], does: "Compare" },
    { press: ["G then M"], does: "Messages" },
    { press: ["G then P"], does: "Players" },
    { press: ["G then F"], does: "Find" },
    { press: ["/"], does: "Find players, games, messages and pages; on Messages, search them" },
    { press: ["[", "]"], does: "Previous or next game of the experiment" },
  ],
};
