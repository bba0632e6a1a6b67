"""python -m spillway"""

from spillway.cli import main

main()
