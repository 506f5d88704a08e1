// What is filled in where a benchmark is started, as the server takes it.
import type { StartBenchmark } from "../../api/types";

export interface Filled {
  players: readonly string[];
  /** One model a line, or several with commas between them. */
  models: string;
  games: number | null;
  seats: number | null;
  seed: number | null;
  name: string;
  rules: Record<string, number | boolean>;
  budget: number | null;
  tokens: number | null;
}

/** The models of a text, each once. */
export const modelsIn = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

/** The request; a budget is sent only where a model or bot plays, as it bounds what they cost. */
export function asked(game: string, filled: Filled, bots: readonly string[]): StartBenchmark {
  const models = modelsIn(filled.models);
  const spends = models.length > 0 || filled.players.some((player) => bots.includes(player));
  return {
    game,
    players: [...filled.players],
    models,
    games: filled.games ?? 20,
    seats: filled.seats,
    seed: filled.seed,
    rules: filled.rules,
    name: filled.name.trim() || null,
    budget: spends ? filled.budget : null,
    token_budget: spends ? filled.tokens : null,
    calls: null,
  };
}

/** What is still lacking before it can be estimated; null where nothing is. */
export function lacking(request: StartBenchmark): string | null {
  if (!request.players?.length && !request.models?.length) return "Choose who plays: strategies, bots or models.";
  return null;
}

/** What is still lacking before it may cost anything; null where nothing is. */
export function unbounded(request: StartBenchmark, bots: readonly string[]): string | null {
  const spends = (request.models?.length ?? 0) > 0 || (request.players ?? []).some((player) => bots.includes(player));
  return spends && request.budget === null && request.token_budget === null ? "Set a budget: models cost money, and it stops them." : null;
}
