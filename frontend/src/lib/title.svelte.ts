import { published } from "../api/client";
import { clean } from "./format";

/** The suffix of every page's title. A published site has a name of its own. */
export const SITE = published ? document.title : "Ostrom";

/** Set the document's title; must be called during a page's setup. Names in it are untrusted. */
export function setTitle(title: () => string): void {
  $effect(() => {
    const text = clean(title());
    document.title = text ? `${text} · ${SITE}` : SITE;
  });
}
