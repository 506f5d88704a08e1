/** The order of rows: the column by which they are sorted, and whether the order is descending. */
export interface Order {
  by: string;
  down: boolean;
}

/** A column of `Table`. */
export interface Column<Row> {
  name: string;
  title: string;
  /** True if the cells are aligned right and have tabular figures. */
  number?: boolean;
  /** Return the text of a cell. Without this function, the table's snippet `cell` draws the cell. */
  value?: (row: Row) => string | number;
  /** Return the value by which rows are sorted. Without this function, the column cannot be sorted. */
  sort?: (row: Row) => number | string | null;
  /** True if the caller sorts the rows by this column. */
  sorts?: boolean;
  /** A description of the column's content. */
  hint?: string;
  /** True if the cell has a line of its own where rows are blocks. */
  broad?: boolean;
  /** True if the title is for screen readers only. */
  silent?: boolean;
}
