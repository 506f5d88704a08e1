// The lines of the host's tables, as texts.
import type { HostParticipant, HostState, HostTable } from "./shapes";
import { nameOf, type Say } from "./words";

/** Return a duration: `45 s`, `3 min`. */
export function duration(say: Say, seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return whole < 90 ? say("seconds", { number: whole }) : say("minutes", { number: Math.floor(whole / 60) });
}

/** Return the name by which the host knows a participant: the label, if there is one. */
export const nameOfParticipant = ({ participant, label }: Pick<HostParticipant, "participant" | "label">): string => label || participant;

export interface Line {
  text: string;
  tone: "plain" | "accent" | "gold" | "bad";
}

/** Return what a participant does now. `elapsed` are the seconds since the state was received. */
export function linesOf(say: Say, one: HostParticipant, state: HostState, elapsed: number): Line[] {
  const lines: Line[] = [];
  const add = (text: string, tone: Line["tone"] = "plain"): void => void lines.push({ text, tone });
  if (one.replaced_by !== null) add(say("replaced", { player: one.replaced_by }), "gold");
  if (one.outcome !== null) {
    add(nameOf(say, "outcome", one.outcome));
    return lines;
  }
  if (one.absent_since_s !== null) add(say("absent", { time: duration(say, one.absent_since_s + elapsed) }), "bad");
  const paused = state.session.paused || state.tables.some((table) => table.key === one.table && table.paused);
  if (paused && one.page === "game") add(say("paused"), "gold");
  if (one.answering_since_s !== null) {
    const passing = paused ? 0 : elapsed;
    const left = one.left_s === null ? "" : `, ${say("left", { time: duration(say, one.left_s - passing) })}`;
    add(say("answering", { time: duration(say, one.answering_since_s + passing) }) + left, "accent");
  }
  if (one.waiting_for.length) add(say("waitingFor", { names: one.waiting_for.map((name) => labelIn(state, name)).join(", ") }));
  if (one.refused) add(say("refused", { number: one.refused }));
  if (one.missed) add(say("missed", { number: one.missed }), "gold");
  return lines;
}

/** Return the label of a participant in a state; a name that is not a participant's is returned as it is. */
export function labelIn(state: HostState, name: string): string {
  const one = state.participants.find(({ participant }) => participant === name);
  return one ? nameOfParticipant(one) : name;
}

/** Return the result of the comprehension questions in words. */
export function quizWords(say: Say, { quiz }: HostParticipant): string {
  if (quiz === null) return "–";
  const score = say("quizScore", { right: quiz.right, questions: quiz.questions });
  const parts = [score, ...(quiz.attempts > 1 ? [say("quizAttempts", { attempts: quiz.attempts })] : []), ...(quiz.passed === false ? [say("quizFailed")] : [])];
  return parts.join(", ");
}

/** Return the title of a table: its game, its place in the row of tables, and its group. */
export function tableTitle(say: Say, table: HostTable): string {
  const practice = table.practice ? ` (${say("practice")})` : "";
  return `${table.title}${practice} ${table.table}.${table.group}`;
}

/** Return the title of a table in the row of a participant. If the session has only one game, the title does not name it. */
export function placeOfTable(say: Say, table: HostTable, state: HostState): string {
  const several = new Set(state.tables.map(({ game }) => game)).size > 1;
  return tableTitle(say, several ? table : { ...table, title: "" }).trim();
}

/** Return the time of day of a message, in this machine's time zone. */
export const timeOfDay = (at: string): string => new Date(at).toLocaleTimeString("en-GB");

/** Return how far a table is. */
export function turnWords(say: Say, { turn, turns }: HostTable): string {
  if (turn === null) return "–";
  return turns === null ? String(turn) : say("turnOf", { turn, turns });
}

/** True if the participant still takes part, so that the host can act for them. */
export const isActive = (one: HostParticipant): boolean => one.outcome === null;

/** Return the number of people who are at a table or still on their way to one. */
export const stillPlaying = (state: HostState): number => state.participants.filter(isActive).length;

/** Return a picture as an address that the page may show as an image. */
export const pictureAddress = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;

const plain = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 2 });

/** Return a figure of a measure. A share is a percentage. */
export function figureOf(value: number | null, unit: string | null): string {
  if (value === null) return "–";
  const text = unit === "share" ? `${plain.format(Math.round(value * 1000) / 10)} %` : plain.format(value);
  return text.replace("-", "−");
}

/** Return an interval of a measure. */
export function intervalOf({ low, high }: { low: number | null; high: number | null }, unit: string | null): string {
  return low === null || high === null ? "–" : `${figureOf(low, unit)} – ${figureOf(high, unit)}`;
}
