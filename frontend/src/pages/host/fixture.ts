// A session for tests of the host's page.
import type { HostParticipant, HostState, HostTable } from "./shapes";

export const samplePerson = (participant: string, more: Partial<HostParticipant> = {}): HostParticipant => ({
  participant, label: null, treatment: null, page: "lobby", waiting_for: [], answering_since_s: null, left_s: null,
  absent_since_s: null, refused: 0, missed: 0, quiz: null, table: null, points: null, payment: null, outcome: null,
  replaced_by: null, person: "unknown", flags: [], ...more,
});

export const sampleTable = (key: string, more: Partial<HostTable> = {}): HostTable => ({
  key, game: "g1", title: "Voluntary contributions", table: 1, group: 1, treatment: "all", practice: false, seats: [],
  turn: 3, turns: 10, state: "playing", paused: false, game_id: null, ...more,
});

export function sampleSession(more: Partial<HostState> = {}): HostState {
  return {
    version: 1,
    session: {
      id: "s-1", name: "class", title: "Voluntary contributions", code: "AB23CD", address: "http://10.0.0.2:8000/join/AB23CD", qr: "<svg/>",
      state: "running", created: "2026-11-19T10:00:00+00:00", started: "2026-11-19T10:05:00+00:00", paused: false, language: "en",
      joins: "code", starts: "host", participants: 4, traces: true, players: ["Reciprocator"],
    },
    counts: { joined: 2, consented: 2, in_quiz: 0, in_lobby: 0, playing: 2, done: 0, released: 0 },
    participants: [], tables: [], treatments: [], messages: [], ...more,
  };
}
