"""`python -m toolroll.cli`: the command without its script."""

from toolroll.cli import main

main()
