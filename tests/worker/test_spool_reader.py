from pathlib import Path

import pytest

from contracts.events import Phase, PhaseChanged
from contracts.spool import EVENTS_FILE
from worker.errors import SpoolCorruptError
from worker.spool import SpoolWriter
from worker.spool_reader import SpoolReader, last_events, last_lines


def write(folder: Path, count: int) -> Path:
    with SpoolWriter(folder) as writer:
        for _ in range(count):
            writer.emit(PhaseChanged, phase=Phase.TRAIN, detail="x" * 200)
    return folder / EVENTS_FILE


def seqs(reader: SpoolReader, after: int, limit: int = 500) -> list[int]:
    return [event.seq for event in reader.read_after(after, limit)]


def test_a_long_spool_is_read_in_batches_without_gaps(tmp_path: Path) -> None:
    reader = SpoolReader(write(tmp_path, 6000))
    found: list[int] = []
    while batch := seqs(reader, found[-1] if found else 0):
        assert len(batch) <= 500
        found += batch
    assert found == list(range(1, 6001))


def test_reading_begins_after_the_given_seq_and_can_go_back(tmp_path: Path) -> None:
    reader = SpoolReader(write(tmp_path, 10))
    assert seqs(reader, 7) == [8, 9, 10]
    assert seqs(reader, 10) == []
    assert seqs(reader, 2, limit=3) == [3, 4, 5]


def test_a_line_that_is_still_being_written_waits_for_its_end(tmp_path: Path) -> None:
    file = write(tmp_path, 2)
    first, second = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(first + second[:50])
    reader = SpoolReader(file)
    assert seqs(reader, 0) == [1]
    with file.open("ab") as out:
        out.write(second[50:])
    assert seqs(reader, 1) == [2]


def test_a_spool_that_is_not_there_yet_is_empty(tmp_path: Path) -> None:
    assert seqs(SpoolReader(tmp_path / EVENTS_FILE), 0) == []


@pytest.mark.parametrize(
    "line", [b"hello\n", b'{"seq":3,"time":"2026-01-01T00:00:00Z","kind":"phase.changed","phase":"load"}\n']
)
def test_a_foreign_line_is_an_error_with_its_number(tmp_path: Path, line: bytes) -> None:
    file = write(tmp_path, 1)
    with file.open("ab") as out:
        out.write(line)
    reader = SpoolReader(file)
    with pytest.raises(SpoolCorruptError, match="Line 2 of"):
        reader.read_after(0, 500)


def test_the_end_of_a_spool_is_read_without_the_rest(tmp_path: Path) -> None:
    file = write(tmp_path, 3000)
    with file.open("ab") as out:
        out.write(b'{"seq":3001,"ti')
    found = [event.seq for event in last_events(file)]
    assert found == list(range(found[0], 3001))
    assert found[0] > 1


def test_last_lines_are_those_of_the_end(tmp_path: Path) -> None:
    file = tmp_path / "output.log"
    assert last_lines(file, 3) == ""
    file.write_bytes(b"".join(b"line %d\n" % number for number in range(1000)) + b"\xff torn")
    assert last_lines(file, 3) == "line 998\nline 999\n� torn"
