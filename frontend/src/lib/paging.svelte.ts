// Paged lists, with the offset in the address.
import type { Loaded } from "./loaded.svelte";
import { setQuery } from "./router.svelte";

/** Go to the first page if the offset is beyond the end, as in an old link. Must be called during a component's setup. */
export function clampOffset<T extends { total: number }>(list: Loaded<T>, rows: (page: T) => number): void {
  $effect(() => {
    if (list.data && !list.loading && list.data.total > 0 && rows(list.data) === 0) setQuery({ offset: null });
  });
}
