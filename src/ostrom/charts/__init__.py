"""Pictures: charts of what the study measured and the report that holds them, which need the extra `ostrom[study]`; and
under `film` films of single games, which need `ostrom[video]`."""
