"""Checks instruction rows as they stream by, in whatever pieces they come."""

from contracts.dataset import check_line
from contracts.problem import ProblemItem

MAX_PROBLEMS = 50
MAX_LINE_BYTES = 16 * 2**20
MIN_ROWS = 2
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class LineCheck:
    """Feed it pieces, then `finish`. Holds one line in memory; stops looking after enough problems."""

    def __init__(self) -> None:
        self.problems: list[ProblemItem] = []
        self.num_rows = 0
        self._line_number = 0
        self._rest = bytearray()
        self._gave_up = False

    def feed(self, piece: bytes) -> None:
        if self._gave_up:
            return
        # Growing in place and split only at a line's end: a long line must not cost its square.
        self._rest += piece
        if b"\n" in piece:
            *lines, self._rest = self._rest.split(b"\n")
            for line in lines:
                if not self._gave_up:
                    self._check(bytes(line))
        if len(self._rest) > MAX_LINE_BYTES:
            where = f"line {self._line_number + 1}"
            message = f"{where}: longer than {MAX_LINE_BYTES} bytes"
            self.problems.append(
                ProblemItem(pointer=where, code="line_too_long", message=message, hint="Write one row a line.")
            )
            self._gave_up, self._rest = True, bytearray()

    def finish(self) -> None:
        if self._rest and not self._gave_up:
            self._check(bytes(self._rest))
        if not self.problems and self.num_rows < MIN_ROWS:
            found = f"{self.num_rows} rows found" if self.num_rows else "the file is empty"
            self.problems.append(
                ProblemItem(
                    pointer="",
                    code="too_few_rows",
                    message=f"{found}; at least {MIN_ROWS} are needed, one to train on and one to evaluate.",
                    hint='Write one JSON object a line: {"instruction": "...", "input": "...", "output": "..."}.',
                )
            )

    def _check(self, line: bytes) -> None:
        self._line_number += 1
        if not line.strip():
            return
        outcome = check_line(self._line_number, line)
        if isinstance(outcome, list):
            self.problems += outcome[: MAX_PROBLEMS - len(self.problems)]
            self._gave_up = len(self.problems) >= MAX_PROBLEMS
        else:
            self.num_rows += 1
