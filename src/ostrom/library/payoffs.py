"""What a table of payoffs leads to: its equilibria, and a population that plays by it."""

from ostrom.findings import equilibria, evolution
from ostrom.library.wording import names_arguments

solve = names_arguments(equilibria.solve)
evolve = names_arguments(evolution.evolve)
