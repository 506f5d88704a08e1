// A table of figures as comma-separated values (RFC 4180).
import type { DataTable } from "./specs";

/** The table as CSV, with the titles in the first line. */
export function csvOf({ columns, rows }: DataTable): string {
  const lines = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ field }) => row[field]))];
  return lines.map((line) => line.map(cell).join(",") + "\r\n").join("");
}

// The same patterns as in ostrom.core.outlets. They match texts that a spreadsheet would evaluate, but not numbers.
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^[+-]?(?:[0-9]+(?:[.,][0-9]+)*\.?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?%?$/;

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = String(value);
  // Names of players are untrusted.
  const plain = typeof value === "string" && FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
