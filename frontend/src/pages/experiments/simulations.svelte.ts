// The simulations that were started on this server since it started. They are polled while one of them runs.
import { get, post } from "../../api/client";
import type { SimulationItem, SimulationItems } from "../../api/types";

const list = $state<{ items: SimulationItem[] }>({ items: [] });

const put = (item: SimulationItem): void => {
  list.items = [item, ...list.items.filter(({ number }) => number !== item.number)].sort((one, other) => Number(other.number) - Number(one.number));
};

export const simulations = {
  get items(): readonly SimulationItem[] {
    return list.items;
  },
  get running(): boolean {
    return list.items.some(({ state }) => state !== "ended");
  },
  add: put,
  async read(signal?: AbortSignal): Promise<void> {
    list.items = (await get<SimulationItems>("/simulations", {}, { signal })).simulations;
  },
  async stop(number: string): Promise<void> {
    put(await post<SimulationItem>(`/simulations/${number}/stop`));
  },
  async again(number: string): Promise<void> {
    put(await post<SimulationItem>(`/simulations/${number}/again`));
  },
};
