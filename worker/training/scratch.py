"""Folders that a run makes for itself and takes away again."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def removed_afterwards(folders: Sequence[Path]) -> Iterator[None]:
    """The folders are made by whoever needs them; whatever is there at the end goes, however it ends."""
    try:
        yield
    finally:
        for folder in folders:
            if folder.exists():
                shutil.rmtree(folder)
