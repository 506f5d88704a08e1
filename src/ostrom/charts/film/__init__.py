"""Films of games. `ostrom.charts.film.film.film` writes the file. The tellings of a game (descriptions of its events
for readers) are converted to shots, and a layout draws each moment. Importing this package imports no picture
library."""
