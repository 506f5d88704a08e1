// The words that a participant's page needs before the server has sent those of the session. The catalogues of sessions
// have the same texts.
import type { Catalogue } from "../../lib/words.svelte";

const EN = {
  loading: "Loading …",
  try_again: "Try again",
  continue: "Continue",
  door_enter_code: "Enter the join code",
  door_code: "Join code",
  door_unknown: "No session has this code. Check it and enter it again.",
  door_gone: "The server does not answer. This page keeps trying.",
};
const DE: typeof EN = {
  loading: "Wird geladen …",
  try_again: "Erneut versuchen",
  continue: "Weiter",
  door_enter_code: "Zugangscode eingeben",
  door_code: "Zugangscode",
  door_unknown: "Zu diesem Code gibt es keine Sitzung. Bitte prüfen Sie ihn und geben Sie ihn noch einmal ein.",
  door_gone: "Der Server antwortet nicht. Diese Seite versucht es weiter.",
};
export const FIRST_WORDS: Record<string, Record<string, string>> = { en: EN, de: DE };

/** Return the first words in the language of the browser, or in English. */
export function firstWords(languages: readonly string[]): Catalogue {
  const language = languages.map((one) => one.slice(0, 2).toLowerCase()).find((one) => Object.hasOwn(FIRST_WORDS, one)) ?? "en";
  return { language, words: FIRST_WORDS[language]! };
}
