// The keys of a replay.
import { shortcuts } from "../lib/shortcuts.svelte";

/** True if an element needs a key itself. A field needs all keys, a button needs the space key, and the time axis needs
 * none. */
function needs(target: HTMLElement, key: string): boolean {
  if (target.matches("input[type=range]")) return false;
  if (target.matches("input, select, textarea, [contenteditable]")) return true;
  return key === " " && target.matches("button, a, summary, [role=button]");
}

/** True if a key is for a replay: it is not for the focused element, the browser or a dialog. Single characters count
 * only if such shortcuts are on. */
export function forReplay(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || needs(event.target as HTMLElement, event.key)) return false;
  return !document.querySelector("dialog[open]") && (shortcuts.on || !/^[^ ]$/.test(event.key));
}
