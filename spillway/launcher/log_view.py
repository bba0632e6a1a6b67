"""The launcher's own lines and the key lines of its children, one column of names in front."""

import threading

from rich.text import Text

from spillway.launcher.key_lines import key_line, plain_line
from spillway.output import OUT

_NAME_STYLES = {"spillway": "bold", "api": "blue", "worker": "green", "redis": "magenta", "demo": "cyan"}
_NAME_WIDTH = 9


class LogView:
    """Safe to use from any thread."""

    def __init__(self, *, verbose: bool) -> None:
        self._verbose = verbose
        self._lock = threading.Lock()

    def say(self, text: str, *, name: str = "spillway", style: str = "") -> None:
        """A line of our own."""
        prefix = Text(f"{name:<{_NAME_WIDTH}}", style=_NAME_STYLES.get(name, ""))
        with self._lock:
            OUT.print(prefix + Text(text, style=style or "default"))

    def pass_on(self, name: str, lines: list[str]) -> None:
        """A child's log lines: all of them when verbose, else those a person should see."""
        for line in lines:
            shown = plain_line(line) if self._verbose else key_line(name, line)
            if shown:
                self.say(shown, name=name)
