"""Films of games. `ostrom.charts.film.film.film` writes the file: tellings become shots, and one of three layouts draws
each moment. Importing this package imports no picture library."""
