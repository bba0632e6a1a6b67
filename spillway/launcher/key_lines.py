"""Which lines of the processes' logs a person watching `spillway up` should see. Pure."""

import re

_TROUBLE = re.compile(r"\b(warning|warn|error|critical|exception|traceback)\b", re.IGNORECASE)
_EVENTS = re.compile(
    r"\b(listening on|claimed|adopted|started|finished|requeued|interrupted|registered|cancel\w*|succeeded)\b",
    re.IGNORECASE,
)
_ROUTINE = re.compile(
    r"\b(GET|HEAD|POST|PUT|DELETE) /|Started server process|Application startup|WARNING: Redis|overcommit"
)


def is_key_line(line: str) -> bool:
    """Troubles and what happens to runs; not each request, and not what a library says of its own start."""
    if not line.strip() or _ROUTINE.search(line):
        return False
    return bool(_TROUBLE.search(line) or _EVENTS.search(line))
