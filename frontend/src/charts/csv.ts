// A table of figures as comma-separated values (RFC 4180).
import type { DataTable } from "./specs";

/** The table with its titles as the first line. */
export function csvOf({ columns, rows }: DataTable): string {
  const lines = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ field }) => row[field]))];
  return lines.map((line) => line.map(cell).join(",") + "\r\n").join("");
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = String(value);
  // A spreadsheet would take a text that begins so for a formula; names come from anybody.
  const plain = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
