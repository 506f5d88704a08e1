"""Pictures: charts of the measures of a study, the report that contains these charts, and films of single games. Films
are in the package `film` and need `ostrom[video]`."""
