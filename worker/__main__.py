"""`python -m worker`: the agent of this box."""

import os
import sys

from worker.agent import Agent
from worker.errors import WorkerError
from worker.logs import configure_logs
from worker.settings import parse_settings


def main() -> int:
    configure_logs()
    try:
        return Agent(parse_settings(sys.argv[1:])).run()
    except WorkerError as error:
        sys.stderr.write(f"error: {error.message}\n{error.next_step}\n")
        return 2


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    # Not by the interpreter's own end: it would pull the ground from under threads that still wait for the network.
    os._exit(code)
