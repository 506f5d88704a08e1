/** The order of rows: the column, and whether it is descending. */
export interface Order {
  by: string;
  down: boolean;
}

/** A column of `Table`. */
export interface Column<Row> {
  name: string;
  title: string;
  /** True if it is aligned right, with tabular figures. */
  number?: boolean;
  /** The text of a cell; without it the table's `cell` snippet draws it. */
  value?: (row: Row) => string | number;
  /** The sort key; without it the column cannot be sorted. */
  sort?: (row: Row) => number | string | null;
  /** True if the caller sorts the rows by this column. */
  sorts?: boolean;
  /** The content of the column in words. */
  hint?: string;
  /** True if it has its own line if rows are blocks. */
  broad?: boolean;
  /** True if the title is for screen readers only. */
  silent?: boolean;
}
