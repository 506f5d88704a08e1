import { published } from "../api/client";
import { clean } from "./format";

/** What stands behind the name of every page: a published site has a name of its own. */
export const SITE = published ? document.title : "Ostrom";

/** The document's title; must be called while a page is set up. Names in it may come from anybody. */
export function titled(words: () => string): void {
  $effect(() => {
    const text = clean(words());
    document.title = text ? `${text} · ${SITE}` : SITE;
  });
}
