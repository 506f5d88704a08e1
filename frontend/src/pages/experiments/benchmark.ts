// The form that starts a benchmark, and the request that it sends.
import type { StartBenchmark } from "../../api/types";

export interface BenchmarkForm {
  players: readonly string[];
  /** The models, separated by lines or commas. */
  models: string;
  games: number | null;
  seats: number | null;
  seed: number | null;
  name: string;
  rules: Record<string, number | boolean>;
  budget: number | null;
  token_budget: number | null;
}

/** Return the models that a text names, each once. */
export const modelsIn = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))];

/** Return the request. A budget is sent only if a model or bot plays. */
export function requestOf(game: string, form: BenchmarkForm, bots: readonly string[]): StartBenchmark {
  const models = modelsIn(form.models);
  const spends = models.length > 0 || form.players.some((player) => bots.includes(player));
  return {
    game,
    players: [...form.players],
    models,
    games: form.games ?? 20,
    seats: form.seats,
    seed: form.seed,
    rules: form.rules,
    name: form.name.trim() || null,
    budget: spends ? form.budget : null,
    token_budget: spends ? form.token_budget : null,
    calls: null,
  };
}

/** Return a message that names the input that is missing for an estimate, or null. */
export function missingInput(request: StartBenchmark): string | null {
  if (!request.players?.length && !request.models?.length) return "Choose who plays: strategies, bots or models.";
  return null;
}

/** Return a message if the budget is missing, or null. */
export function missingBudget(request: StartBenchmark, spends: boolean): string | null {
  return spends && request.budget === null && request.token_budget === null ? "Set a budget: models cost money." : null;
}
