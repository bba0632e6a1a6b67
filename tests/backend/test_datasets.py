"""Uploading data: every line checked, nothing half-made left behind."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.backend.running import ROWS, RunningApi

# What is tested here is above the database; the flow tests run on both.
pytestmark = pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
GOOD = b'{"instruction": "a", "output": "b"}\n'


def upload(admin: httpx.Client, content: Any, name: str = "data") -> httpx.Response:
    return admin.post("/datasets", params={"name": name}, content=content)


def files_below(folder: Path) -> list[str]:
    return [file.name for file in folder.rglob("*") if file.is_file()]


def test_an_upload_is_kept_by_content(api: RunningApi, admin: httpx.Client) -> None:
    first = upload(admin, ROWS, "numbers")
    assert first.status_code == 201, first.text
    dataset = first.json()
    assert (dataset["num_rows"], dataset["num_bytes"], dataset["created_by"]) == (20, len(ROWS), "ada")
    again = upload(admin, ROWS, "other name")
    assert (again.status_code, again.json()) == (200, dataset)
    assert files_below(api.data_dir / "blobs") == [dataset["sha256"]]
    preview = admin.get(f"/datasets/{dataset['dataset_id']}/preview", params={"rows": 2}).json()
    assert preview["rows"][1] == {"instruction": "What is 1?", "input": "", "output": "A number."}
    assert admin.get(f"/datasets/{dataset['dataset_id']}").json() == dataset
    assert admin.get("/datasets").json() == {"items": [dataset], "next_cursor": None}
    assert admin.get("/datasets/ds_none").status_code == 404


def test_bad_lines_are_named_and_nothing_is_kept(api: RunningApi, admin: httpx.Client) -> None:
    content = (
        GOOD + b'{"instruction": "a"}\n' + b"not json\n" + b'{"instruction": 5, "output": "x", "more": 1}\n' + b"\xff\n"
    )
    answer = upload(admin, content)
    assert answer.status_code == 422
    problem = answer.json()
    assert problem["code"] == "dataset_invalid"
    pointers = [(item["pointer"], item["code"]) for item in problem["errors"]]
    assert ("line 2, field output", "missing") in pointers
    assert ("line 3", "not_json") in pointers
    assert ("line 4, field instruction", "string_type") in pointers
    assert ("line 5", "not_utf8") in pointers
    assert all(item["hint"] for item in problem["errors"])
    assert files_below(api.data_dir / "blobs") == []
    assert files_below(api.data_dir / "parts") == []
    assert admin.get("/datasets").json()["items"] == []


def test_of_many_bad_lines_fifty_are_named(admin: httpx.Client) -> None:
    assert len(upload(admin, b"bad\n" * 1000).json()["errors"]) == 50


def test_too_few_rows_are_an_error(admin: httpx.Client) -> None:
    for content, told in ((b"", "empty"), (b"\n \n", "empty"), (GOOD, "1 rows found")):
        answer = upload(admin, content)
        assert (answer.status_code, answer.json()["code"]) == (422, "dataset_invalid")
        assert told in answer.json()["detail"]


def test_blank_lines_and_a_byte_order_mark_are_fine(api: RunningApi, admin: httpx.Client) -> None:
    content = b"\xef\xbb\xbf" + GOOD + b"\r\n\n" + GOOD.strip()
    answer = upload(admin, content)
    assert (answer.status_code, answer.json()["num_rows"]) == (201, 2)
    stored = api.data_dir / "blobs" / answer.json()["sha256"][:2] / answer.json()["sha256"]
    assert stored.read_bytes() == content[3:], "readers of rows meet no mark"


def test_an_upload_that_breaks_off_leaves_nothing(api: RunningApi, admin: httpx.Client) -> None:
    def breaks_off() -> Iterator[bytes]:
        yield GOOD * 1000
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        upload(admin, breaks_off())
    assert upload(admin, GOOD * 2).status_code == 201
    assert files_below(api.data_dir / "parts") == []
    assert len(files_below(api.data_dir / "blobs")) == 1
