// Which keys a replay takes for itself.
import { shortcuts } from "../lib/shortcuts.svelte";

/** Which keys an element needs for itself: a field all of them, a button space, the time axis none. */
function needs(target: HTMLElement, key: string): boolean {
  if (target.matches("input[type=range]")) return false;
  if (target.matches("input, select, textarea, [contenteditable]")) return true;
  return key === " " && target.matches("button, a, summary, [role=button]");
}

/** Whether a key is meant for a replay: not for what has the focus, for the browser or for what lies above the page; and a
 * single character only where the reader wants such keys. */
export function forReplay(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || needs(event.target as HTMLElement, event.key)) return false;
  return !document.querySelector("dialog[open]") && (shortcuts.on || !/^[^ ]$/.test(event.key));
}
