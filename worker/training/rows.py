"""The dataset's rows, and which of them are held out of training."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from contracts.dataset import InstructionRow, check_lines
from worker.training.errors import DatasetInvalidError


@dataclass(frozen=True, kw_only=True, slots=True)
class SplitRows:
    training: Sequence[InstructionRow]
    evaluation: Sequence[InstructionRow]


def read_rows(path: Path) -> list[InstructionRow]:
    """Every row of a JSONL file. Raises DatasetInvalidError naming the first bad line and its field."""
    rows: list[InstructionRow] = []
    try:
        with path.open("rb") as lines:
            for checked in check_lines(lines):
                if not isinstance(checked, InstructionRow):
                    raise DatasetInvalidError(f"{checked[0].message}. {checked[0].hint}")
                rows.append(checked)
    except OSError as error:
        raise DatasetInvalidError(f"The dataset {path} cannot be read: {error.strerror}.") from error
    if len(rows) < 2:
        raise DatasetInvalidError(
            f"The dataset has {len(rows)} rows; at least 2 are needed, one of them to be held out of training."
        )
    return rows


def hold_out(rows: Sequence[InstructionRow], *, wanted: int, seed: int) -> SplitRows:
    """Hold out at most a tenth of the rows, but at least one; the seed decides which. Both parts keep the order.

    No copy of a held-out row is trained on, and none is counted twice. Raises DatasetInvalidError when all rows are
    copies of one.
    """
    distinct = list(dict.fromkeys(rows))
    if len(distinct) < 2:
        raise DatasetInvalidError(
            f"The dataset has {len(rows)} rows that are all alike; at least 2 different ones are needed, one of them "
            "to be held out of training."
        )
    count = min(wanted, max(1, len(distinct) // 10))
    chosen = random.Random(seed).sample(range(len(distinct)), count)  # noqa: S311  a choice of rows, not a secret
    held_out = {distinct[index] for index in chosen}
    return SplitRows(
        training=[row for row in rows if row not in held_out], evaluation=[row for row in distinct if row in held_out]
    )
