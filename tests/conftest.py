"""Settings that hold for every test."""

from hypothesis import settings

# No deadline: a test never asserts a time. Derandomised: the same tree gives the same result on every machine.
settings.register_profile("ostrom", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("ostrom")

pytest_plugins = ["services", "local_model", "imported"]
