// What pages ask a server for, answered from the files of a published site: it stands in the place of api/client.
import { ApiError, type Handlers, type Options, type Query, type StreamOptions } from "../api/client";
import type { ExperimentPage, PlayerNames } from "../api/types";
import { answers } from "./files";
import * as lists from "./lists";
import { file, holder, pageFile, request, slug } from "./names";

export { ApiError, inWords, isForGood } from "../api/client";
export type { Handlers, Options, Query, StreamOptions };

export const published = true;

type List = (found: any, query: Query, called: lists.Called) => unknown;
/** What of a request is not asked of the files, and how it is done here. */
const LISTS: Record<string, { here: string[]; list: List }> = {
  "/experiments": { here: ["offset", "limit"], list: lists.experiments },
  "/games": { here: ["experiment", "player", "winner", "state", "outcome", "highlight", "text", "sort", "direction", "game", "offset", "limit"], list: lists.games },
  "/messages": { here: ["text", "experiment", "player", "round", "game", "promise", "sort", "around", "offset", "limit"], list: lists.messages },
  "/quotes": { here: ["player", "judge", "offset", "limit"], list: lists.quotes },
  "/scores": { here: ["offset", "limit", "sort", "order"], list: lists.scores },
  "/ratings": { here: ["player"], list: lists.ratings },
};
/** What a link may ask for and no file holds: all players are shown. */
const DROPPED = ["player"];

export async function getText(path: string, query: Query = {}, options: Options = {}): Promise<string> {
  const asked = request(path, query);
  // A page that is just being left may ask for something at the address of the next one; that is not looked for.
  await new Promise((resolve) => setTimeout(resolve, 0));
  options.signal?.throwIfAborted();
  const found = (await answers(file(holder(asked))))[asked];
  options.signal?.throwIfAborted();
  if (found === undefined) throw new ApiError(404, "This is not part of the published site.");
  return found;
}

export async function get<T>(path: string, query: Query = {}, options: Options = {}): Promise<T> {
  const done = LISTS[path];
  const left = Object.entries(query).filter(([name]) => !(done?.here ?? DROPPED).includes(name));
  const found: unknown = JSON.parse(await getText(path, Object.fromEntries(left), options));
  return (done ? done.list(found, query, path === "/games" && query.text ? await called(options) : lists.NOBODY) : found) as T;
}

/** What players and experiments are called: in a list of games stand their ids. */
async function called(options: Options): Promise<lists.Called> {
  const [names, experiments] = await Promise.all([getText("/names", {}, options), getText("/experiments", {}, options)]);
  const { players } = JSON.parse(names) as PlayerNames;
  const kept = JSON.parse(experiments) as ExperimentPage;
  return { players: new Map(players.map((one) => [one.player, one.name])), experiments: new Map(kept.experiments.map((one) => [one.id, one.name])) };
}

export const post = (): Promise<never> => Promise.reject(new ApiError(405, "Nothing can be changed in a published site."));

export const change = post;

/** There is nothing to follow: what is published stands still. */
export async function stream(_path: string | (() => string), _handlers: Handlers, _signal: AbortSignal, options: StreamOptions = {}): Promise<void> {
  options.opened?.();
}

export const viewerPage = (): Promise<string> => getText("/viewer");

/** Where a table lies. */
export const tableFile = (kind: string, name: string, ending: string): string => `./tables/${slug(kind)}/${name}.${ending}`;

/** The page to hand on, which says in its head what it is about; those who open it come here. */
export const shared = (parts: readonly string[], query: URLSearchParams): string => new URL(pageFile(parts, query), location.href.split("#")[0]).href;

/** Tables lie beside the pages, as files to be linked to. */
export const getFile = (): Promise<never> => Promise.reject(new ApiError(404, "Tables are files of this site."));
