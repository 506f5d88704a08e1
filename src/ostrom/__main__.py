"""`python -m ostrom` is `ostrom`."""

from ostrom.cli.main import main

main()
