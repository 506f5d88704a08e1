"""Forecasters of people's decisions: theories, regressions and small networks, and the scores of their forecasts."""
