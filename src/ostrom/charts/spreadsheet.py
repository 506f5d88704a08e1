"""Tables as CSV files for spreadsheets, in which no text is read as a formula. The same tables as Parquet have every
text unchanged."""

from pathlib import Path

import polars as pl
from polars import selectors as cs

from ostrom.core.outlets import FORMULA, for_spreadsheet

_TEXTS = cs.string(include_categorical=True)
_SUSPECT = rf"{FORMULA}|[^\n\p{{L}}\p{{M}}\p{{N}}\p{{P}}\p{{S}} ]"
"""Texts that may have to be changed: formulas, and anything but letters, marks, digits, signs and plain spaces. Most
tables have none, which Polars detects quickly."""


def write_csv(table: pl.DataFrame, path: Path) -> None:
    """Write the table, its headings too, with each text as `for_spreadsheet` has it."""
    texts = table.select(_TEXTS.cast(pl.String))
    suspect = [name for name in texts.columns if texts[name].str.contains(_SUSPECT).any()]
    changed = [_escape_column(texts[name]) for name in suspect]
    safe = table.with_columns(changed)
    safe.rename({name: heading for name in safe.columns if (heading := for_spreadsheet(name)) != name}).write_csv(path)


def _escape_column(column: pl.Series) -> pl.Series:
    safe_texts = {text: for_spreadsheet(text) for text in column.unique().drop_nulls()}
    return column.replace(safe_texts)
