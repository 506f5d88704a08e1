/** How rows are sorted by whoever gives them: by which column, and whether from the highest down. */
export interface Order {
  by: string;
  down: boolean;
}

/** A column of `Table`. */
export interface Column<Row> {
  name: string;
  title: string;
  /** Set at the right, in figures of one width. */
  number?: boolean;
  /** Plain text of a cell; without it the table's `cell` snippet draws it. */
  value?: (row: Row) => string | number;
  /** What the column can be sorted by; without it, it cannot. */
  sort?: (row: Row) => number | string | null;
  /** Whether whoever gives the rows sorts them by this column. */
  sorts?: boolean;
  /** What the column holds, in words. */
  hint?: string;
  /** Where rows are blocks, it takes a line of its own. */
  broad?: boolean;
  /** The title is only for those who hear it. */
  silent?: boolean;
}
