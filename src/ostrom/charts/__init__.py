"""Pictures: charts of the measures of a study, the report that contains them, and, in `film`, films of single games,
which need `ostrom[video]`."""
