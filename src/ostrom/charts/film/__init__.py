"""Games as moving pictures. `ostrom.charts.film.film.film` makes the file: tellings become shots, one of three layouts
draws a moment, and importing this package imports no picture library."""
