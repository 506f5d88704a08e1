"""`python -m ostrom` is `ostrom`."""

from ostrom.cli import start

start()
