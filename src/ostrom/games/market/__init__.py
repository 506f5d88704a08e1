"""Markets with private values. This package has what its institutions share: private values and their distributions,
the matching of quotes, prices on a tick, and the competitive equilibrium. Each institution is a game in a folder of its
own."""
