"""Instruction rows, and the check every line of a dataset passes before a job may use it."""

import json
from collections.abc import Iterable, Iterator

from pydantic import Field, ValidationError

from contracts.base import Contract
from contracts.problem import ProblemItem


class InstructionRow(Contract):
    """One row: what is asked, and the answer to learn. Loss is taken on `output` only."""

    instruction: str = Field(min_length=1)
    input: str = ""
    output: str = Field(min_length=1)

    @property
    def prompt(self) -> str:
        return f"{self.instruction}\n\n{self.input}" if self.input else self.instruction


def check_line(number: int, line: bytes) -> InstructionRow | list[ProblemItem]:
    """Parse one JSONL line (counted from 1); a list of what is wrong with it, each naming line and field."""
    try:
        return InstructionRow.model_validate(json.loads(line.decode("utf-8")))
    except UnicodeDecodeError as error:
        return [_item(number, "", "not_utf8", f"byte {error.start} is not UTF-8", "Save the file as UTF-8.")]
    except json.JSONDecodeError as error:
        where = f"column {error.colno}: {error.msg}"
        return [_item(number, "", "not_json", where, "Each line is one JSON object, without a comma at its end.")]
    except ValidationError as error:
        return [
            _item(number, ".".join(str(part) for part in issue["loc"]), issue["type"], issue["msg"],
                  'A row is {"instruction": "...", "input": "...", "output": "..."}; input may be left out.')
            for issue in error.errors(include_url=False, include_context=False)
        ]  # fmt: skip
    except (ValueError, RecursionError) as error:
        # JSON by its grammar, but with thousands of digits or brackets.
        what = "brackets nested too deeply" if isinstance(error, RecursionError) else "a number with too many digits"
        return [_item(number, "", "not_json", what, "Each line is one JSON object of texts.")]


def check_lines(lines: Iterable[bytes]) -> Iterator[InstructionRow | list[ProblemItem]]:
    """Each line's row or its problems, in order; blank lines are passed over but counted."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield check_line(number, line)


def _item(number: int, field: str, code: str, message: str, hint: str) -> ProblemItem:
    where = f"line {number}, field {field}" if field else f"line {number}"
    return ProblemItem(pointer=where, code=code, message=f"{where}: {message}", hint=hint)
