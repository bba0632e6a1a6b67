"""Registering models: facts from headers, pickles refused."""

import os
import struct
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.backend.conftest import write_model

# What is tested here is above the database; the flow tests run on both.
pytestmark = pytest.mark.parametrize("settings", ["sqlite"], indirect=True)


def register(admin: httpx.Client, name: str, source: dict[str, Any]) -> httpx.Response:
    return admin.post("/models", json={"name": name, "source": source})


def folder_source(folder: Path) -> dict[str, Any]:
    return {"kind": "local_folder", "path": str(folder)}


def test_a_folder_tells_its_size_without_its_weights_being_read(admin: httpx.Client, model_folder: Path) -> None:
    answer = register(admin, "tiny", folder_source(model_folder))
    assert answer.status_code == 201, answer.text
    model = answer.json()
    assert (model["architecture"], model["dtype"]) == ("LlamaForCausalLM", "float32")
    assert model["num_parameters"] == 808, "the head is the embedding, counted once"
    assert register(admin, "tiny", folder_source(model_folder)).status_code == 200
    taken = register(admin, "tiny", {"kind": "hugging_face", "repo": "org/model"})
    assert (taken.status_code, taken.json()["code"]) == (409, "name_taken")
    assert admin.get(f"/models/{model['model_id']}").json() == model
    assert admin.get("/models").json()["items"] == [model]


def test_an_untied_head_counts(admin: httpx.Client, tmp_path: Path) -> None:
    folder = write_model(tmp_path / "untied", tie_word_embeddings=False)
    assert register(admin, "untied", folder_source(folder)).json()["num_parameters"] == 1608


def test_a_repository_is_fetched_by_the_box_later(admin: httpx.Client) -> None:
    model = register(admin, "remote", {"kind": "hugging_face", "repo": "org/model"}).json()
    assert (model["num_parameters"], model["source"]["revision"]) == (None, "main")


def _break(folder: Path, how: str) -> None:  # noqa: C901 - a list of ways to break it
    weights, config = folder / "model.safetensors", folder / "config.json"
    match how:
        case "no config":
            config.unlink()
        case "bad config":
            config.write_text("{")
        case "pickle":
            weights.rename(folder / "pytorch_model.bin")
        case "no weights":
            weights.unlink()
        case "cut short":
            weights.write_bytes(b"\x10\0\0\0\0\0\0\0{}")
        case "empty":
            weights.write_bytes(b"\x02\0\0\0\0\0\0\0{}")
        case "nonsense":
            weights.write_bytes(b"\xff" * 100)
        case "deep config":
            config.write_bytes(b"[" * 100_000)
        case "deep header":
            _write_header(weights, b'{"w":' + b"[" * 100_000)
        case "negative shape":
            _write_header(weights, b'{"w": {"dtype": "F32", "shape": [-5, 3]}}')
        case "half an element":
            _write_header(weights, b'{"w": {"dtype": "F32", "shape": [1.5]}}')
        case "no shape":
            _write_header(weights, b'{"w": {"dtype": "F32"}}')
        case "strange dtype":
            _write_header(weights, b'{"w": {"dtype": ["F32"], "shape": [2]}}')
        case "larger than the world":
            _write_header(weights, b'{"w": {"dtype": "F32", "shape": [4294967296, 4294967296]}}')
        case "a folder":
            weights.unlink()
            weights.mkdir()
        case "a pipe":
            weights.unlink()
            os.mkfifo(weights)


def _write_header(file: Path, text: bytes) -> None:
    file.write_bytes(struct.pack("<Q", len(text)) + text)


def test_a_folder_that_cannot_be_used_is_refused_with_the_cause(admin: httpx.Client, tmp_path: Path) -> None:
    ways = {
        "no config": "holds no config.json",
        "bad config": "is not JSON",
        "pickle": "as pickles only (pytorch_model.bin)",
        "no weights": "no *.safetensors file",
        "cut short": "2 of 16 bytes",
        "empty": "hold no tensor",
        "nonsense": "not a safetensors file",
        "deep config": "is not JSON",
        "deep header": "not a safetensors file: recursion",
        "negative shape": "w/shape/0: Input should be greater than or equal to 0",
        "half an element": "w/shape/0: Input should be a valid integer",
        "no shape": "w/shape: Field required",
        "strange dtype": "w/dtype: Input should be a valid string",
        "larger than the world": "would have 18446744073709551616 parameters",
        "a folder": "no *.safetensors file",
        # To open it would wait for ever, and with it every write to the database.
        "a pipe": "no *.safetensors file",
    }
    for how, told in ways.items():
        folder = write_model(tmp_path / how)
        _break(folder, how)
        answer = register(admin, how, folder_source(folder))
        assert (answer.status_code, answer.json()["code"]) == (422, "model_unsupported"), how
        assert told in answer.json()["detail"]
        assert answer.json()["errors"][0]["pointer"] == "/source/path"
        assert "save_pretrained" in answer.json()["hint"]
    assert admin.get("/models").json()["items"] == []


def test_a_folder_that_is_not_there_is_missing(admin: httpx.Client, tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    for path in (str(tmp_path / "nowhere"), "relative/folder", str(tmp_path / "circle"), "/" + "n" * 300, "/a\0b"):
        answer = register(admin, "x", {"kind": "local_folder", "path": path})
        assert (answer.status_code, answer.json()["code"]) == (422, "model_missing")


def test_what_a_config_calls_its_architecture_is_taken_as_text_only(admin: httpx.Client, tmp_path: Path) -> None:
    for number, (named, read) in enumerate(((["L" * 500], "L" * 200), ("L", None), ({"a": 1}, None), ([5], None))):
        folder = write_model(tmp_path / str(number), architectures=named)
        answer = register(admin, f"model {number}", folder_source(folder))
        assert (answer.status_code, answer.json()["architecture"]) == (201, read)
