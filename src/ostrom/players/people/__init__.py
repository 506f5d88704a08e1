"""People at the table: a seat with a secret link, at which a person is told what a model there would be told, and
answers under the same checks."""
