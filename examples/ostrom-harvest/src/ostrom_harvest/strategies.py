"""The strategies of Harvest. Each is one row of arithmetic over any number of games; none keeps anything in mind but
what the table shows."""
