"""Uploads at their limits: size, length of a line, and pieces cut anywhere."""

import json
from pathlib import Path

from backend.datasets.line_check import LineCheck
from backend.settings import Settings
from tests.backend.running import run_api

GOOD = b'{"instruction": "a", "output": "b"}\n'


def test_the_limit_holds_whether_the_length_is_announced_or_not(tmp_path: Path) -> None:
    api = run_api(Settings(data_dir=tmp_path, max_dataset_bytes=100))
    with api.admin() as admin:
        for content in (GOOD * 3, iter([GOOD, GOOD, GOOD])):
            answer = admin.post("/datasets", params={"name": "x"}, content=content)
            assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
        assert admin.post("/datasets", params={"name": "x"}, content=GOOD * 2).status_code == 201
    api.stop()
    assert list((tmp_path / "parts").iterdir()) == []


def test_pieces_may_be_cut_anywhere() -> None:
    content = b"\n".join(json.dumps({"instruction": "ä\u2028" * 3, "output": "x"}).encode() for _ in range(5))
    for size in (1, 2, 7, 50, 1000):
        check = LineCheck()
        for start in range(0, len(content), size):
            check.feed(content[start : start + size])
        check.finish()
        assert (check.num_rows, check.problems) == (5, [])


def test_a_line_without_end_is_given_up_early() -> None:
    check = LineCheck()
    for _ in range(300):
        check.feed(b"x" * 65_536)
    check.finish()
    assert [problem.code for problem in check.problems] == ["line_too_long"]
