// The presentation of a game in its record (docs/record.md). It consists of the scene and, for every event, a telling
// of sentences and effects. Fields with default values are omitted, so most fields may be missing.

export type Tone = "plain" | "good" | "bad" | "gold";

/** Words of the game, a seat, or a text of a player. The text is never parsed. */
export type Span = string | { seat: number } | { quote: string };
export type Sentence = Span[];

export interface Quantity {
  title: string;
  of?: "seat" | "table";
  unit?: string;
  digits?: number;
  signed?: boolean;
  percent?: boolean;
  low?: number;
  high?: number;
  note?: string;
}

export interface Flow {
  title: string;
  of?: string;
  takes?: boolean;
  drawn?: "band" | "arrow";
  tone?: Tone;
}

export interface ShownQuantity {
  quantity: string;
  title?: string;
  line?: boolean;
}

export interface Bound {
  value: number;
  text: string;
  tone?: Tone;
}

export interface PanelSpec {
  kind: "lines" | "steps" | "bars" | "heat";
  quantity: string;
  bounds?: Bound[];
  words?: [string, string];
}

export interface AnswerList {
  kind: "choices" | "amounts" | "points";
  title?: string;
  axis?: string;
  options?: string[];
}

export interface Scene {
  layout: "table" | "sides" | "dashboard" | "question";
  title: string;
  clock?: string;
  horizon?: number;
  pace?: number;
  opens?: "start" | "end";
  final?: string;
  better?: "higher" | "lower";
  quantities?: Record<string, Quantity>;
  flows?: Record<string, Flow>;
  phases?: { name: string; title: string }[];
  roles?: string[];
  card?: { quantity: string; notes?: ShownQuantity[] };
  centre?: { quantity: string; title: string };
  prices?: { quotes: string; trades: string; right: number[]; values?: string; curves?: boolean };
  strip?: { bars: string; ticks?: string };
  standing?: ShownQuantity[];
  figures?: string[];
  panels?: PanelSpec[];
  lists?: Record<string, AnswerList>;
}

export type Value = number | null | (number | null)[];

export type Effect =
  | { do: "set"; values: Record<string, Value>; seat?: number }
  | { do: "transfer"; amount: number | number[]; source: number | "table" | "each"; target: number | "table" | "each"; kind?: string; cost?: number; arrives?: number }
  | { do: "say"; seat: number; text: string }
  | { do: "choose"; seat: number; value: string | number | null; label?: string; fault?: string }
  | { do: "enter" | "leave"; seat: number }
  | { do: "mark"; tone?: Tone; text?: Sentence; kind?: string };

export type Transfer = Extract<Effect, { do: "transfer" }>;

export interface AskedItem {
  role?: string;
  about?: string;
  purpose?: string;
  asking?: number;
  facts?: [string, string][];
  options?: string[];
  labels?: string[];
}

export interface Point {
  list: string;
  group?: string;
  title?: string;
  label: string;
  at: number;
  option?: string;
  amount?: number;
  low?: number;
  high?: number;
  censored?: boolean;
}

export interface Telling {
  turn?: number;
  phase?: string;
  title?: Sentence;
  text?: Sentence[];
  effects?: Effect[];
  joined?: boolean;
  middle?: { title: string; figure: string; notes?: string[] };
  asked?: AskedItem;
  form?: Form;
  point?: Point;
}

export interface FormParty {
  /** The seat of the party; null for the imagined other player of a subject. */
  seat: number | null;
  role: string;
}

/** The options with their letters, in the order in which they are displayed. Options are named by their meaning. */
export interface Choice {
  options: string[];
  labels: string[];
  /** The chosen option; null if there is none or if it is not known yet. */
  answer: string | null;
}

export type Pair<T> = [T, T];

export type Form =
  | { form: "split"; parties: Pair<FormParty>; pot: number; offer: number | null; consent: boolean; accepted: boolean | null }
  | { form: "flow"; parties: Pair<FormParty>; endowment: number; multiplier: number; sent: number | null; received: number | null; returned: number | null }
  | { form: "matrix"; parties: Pair<FormParty>; rows: string[]; columns: string[]; payoffs: Pair<number>[][]; row: number | null; column: number | null }
  | { form: "tree"; parties: Pair<FormParty>; nodes: Pair<number>[]; end: Pair<number>; moves: ("take" | "pass")[]; asked: number | null }
  | { form: "line"; low: number; high: number; verb: string; pins: { party: FormParty; value: number | null; best: boolean }[]; rules: { title: string; value: number; main: boolean }[]; verdict: string }
  | { form: "fund"; parties: FormParty[]; players: number; endowment: number; multiplier: number; contributions: number[] | null; fund: number | null; share: number | null }
  | { form: "dates"; payments: { option: string; amount: number; days: number }[]; choice: Choice }
  | { form: "lotteries"; outcomes: number[]; lotteries: { option: string; title: string; chances: number[] | null }[]; choice: Choice; worth: boolean }
  | { form: "gamble"; gain: number; loss: number; choice: Choice }
  | { form: "budget"; income: number; prices: Pair<number>; bought: number | null };

/** Forms by their tag. */
export type FormOf<Tag extends Form["form"]> = Extract<Form, { form: Tag }>;
