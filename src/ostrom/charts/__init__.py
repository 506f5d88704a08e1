"""Pictures: charts of what the study measured, the report that holds them, and under `film` films of single games,
which need `ostrom[video]`."""
