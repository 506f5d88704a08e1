// Requests to a published site. Replies are read from the site's files. This module replaces api/client.
import { ApiError, type Handlers, type Options, type Query, type StreamOptions } from "../api/client";
import type { ExperimentPage, PlayerNameList } from "../api/types";
import { answers } from "./files";
import * as lists from "./lists";
import { file, holder, pageFile, request, slug } from "./names";

export { ApiError, messageOf, isPermanent } from "../api/client";
export type { Handlers, Options, Query, StreamOptions };

export const published = true;

type List = (found: any, query: Query, names: lists.DisplayNames) => unknown;
/** The parameters that are applied here. They are not part of a file's name. */
const LISTS: Record<string, { here: string[]; list: List }> = {
  "/experiments": { here: ["offset", "limit"], list: lists.experiments },
  "/games": { here: ["experiment", "player", "winner", "state", "outcome", "highlight", "text", "sort", "direction", "game", "offset", "limit"], list: lists.games },
  "/messages": { here: ["text", "experiment", "player", "round", "game", "promise", "sort", "around", "offset", "limit"], list: lists.messages },
  "/quotes": { here: ["player", "judge", "offset", "limit"], list: lists.quotes },
  "/scores": { here: ["offset", "limit", "sort", "order"], list: lists.scores },
  "/ratings": { here: ["player"], list: lists.ratings },
};
/** Parameters for which there are no files. They are ignored, so all players are shown. */
const IGNORED = ["player"];

export async function getText(path: string, query: Query = {}, options: Options = {}): Promise<string> {
  const name = request(path, query);
  // A page that is being left may still send a request for the next address. Such a request is ignored.
  await new Promise((resolve) => setTimeout(resolve, 0));
  options.signal?.throwIfAborted();
  const text = (await answers(file(holder(name))))[name];
  options.signal?.throwIfAborted();
  if (text === undefined) throw new ApiError(404, "This is not part of the published site.");
  return text;
}

export async function get<T>(path: string, query: Query = {}, options: Options = {}): Promise<T> {
  const list = LISTS[path];
  const rest = Object.entries(query).filter(([name]) => !(list?.here ?? IGNORED).includes(name));
  const reply: unknown = JSON.parse(await getText(path, Object.fromEntries(rest), options));
  return (list ? list.list(reply, query, path === "/games" && query.text ? await displayNames(options) : lists.NO_NAMES) : reply) as T;
}

/** Return the names of players and experiments, because lists of games have only ids. */
async function displayNames(options: Options): Promise<lists.DisplayNames> {
  const [names, experiments] = await Promise.all([getText("/names", {}, options), getText("/experiments", {}, options)]);
  const { players } = JSON.parse(names) as PlayerNameList;
  const page = JSON.parse(experiments) as ExperimentPage;
  return { players: new Map(players.map((one) => [one.player, one.name])), experiments: new Map(page.experiments.map((one) => [one.id, one.name])) };
}

export const post = (): Promise<never> => Promise.reject(new ApiError(405, "Nothing can be changed in a published site."));

export const change = post;

/** A published site does not change, so there are no events to follow. */
export async function stream(_path: string | (() => string), _handlers: Handlers, _signal: AbortSignal, options: StreamOptions = {}): Promise<void> {
  options.opened?.();
}

export const viewerPage = (): Promise<string> => getText("/viewer");

/** Return the address of a table as a file. */
export const tableFile = (kind: string, name: string, ending: string): string => `./tables/${slug(kind)}/${name}.${ending}`;

/** Return the page to share. It has the metadata for link previews and redirects here. */
export const shared = (parts: readonly string[], query: URLSearchParams): string => new URL(pageFile(parts, query), location.href.split("#")[0]).href;

/** Tables are files of the site. Pages link to these files. */
export const getFile = (): Promise<never> => Promise.reject(new ApiError(404, "Tables are files of this site."));
