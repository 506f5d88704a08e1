// Lists that come a page at a time, with the offset in the address.
import type { Loaded } from "./loaded.svelte";
import { keep } from "./router.svelte";

/** Leads to the first page where the address names one beyond the end: an old link does, when games are gone since. Must be
 * called while a component is set up. */
export function withinList<T extends { total: number }>(list: Loaded<T>, rows: (page: T) => number): void {
  $effect(() => {
    if (list.data && !list.loading && list.data.total > 0 && rows(list.data) === 0) keep({ offset: null });
  });
}
