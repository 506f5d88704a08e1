// The pages of a participant, as the server names them.
import type { ParticipantState } from "../../api/types";

export type SessionPage = ParticipantState["page"];
export type PageOf<Kind extends SessionPage["kind"]> = Extract<SessionPage, { kind: Kind }>;

/** Return a text that differs between any two pages that follow each other. */
export function pageKey(page: SessionPage): string {
  switch (page.kind) {
    case "text":
    case "belief":
      return `${page.kind}:${page.name}`;
    case "game":
      return `game:${page.practice}:${page.title}:${page.label}`;
    case "results":
      return `results:${page.practice}:${page.title}`;
    default:
      return page.kind;
  }
}
