"""What of the processes' logs a person watching `spillway up` should see. Pure."""

import re

_LOG_LINE = re.compile(r"^\S+Z \[(?P<level>[a-z]+) *\] (?P<text>.*)$")
_TROUBLE = {"warning", "error", "critical"}
# The second is kombu's about folders, which have no host.
_UNTOLD = re.compile(r"the Celery child listens|No hostname was supplied")


def key_line(name: str, line: str) -> str | None:
    """The line as it should be shown: troubles of all, and what the worker says of runs. None: not worth a look."""
    found = _LOG_LINE.match(line)
    if found is None or _UNTOLD.search(found["text"]):
        return None
    text = re.sub(r" {2,}", "  ", found["text"]).strip()
    if found["level"] in _TROUBLE:
        return f"{found['level']}: {text}"
    # Every information of the worker is about the box or a run; the API's are single requests.
    return text if name == "worker" else None


def plain_line(line: str) -> str:
    """Any line without its time, which the launcher's view does not show."""
    found = _LOG_LINE.match(line)
    return f"{found['level']}: {found['text']}" if found else line
