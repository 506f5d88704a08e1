"""Games as moving pictures. `ostrom.charts.film.film.film` makes the file; timelines say what happens when, scenes
draw one moment, and nothing here is drawn before it is asked for: importing this package imports no picture library."""
