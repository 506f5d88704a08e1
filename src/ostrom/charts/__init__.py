"""Pictures of what the study measured: charts from tidy tables, in one style, and the report that holds them. Needs the
extra `ostrom[study]`."""
