"""What a model folder says of itself: config.json and the headers of its safetensors files. No weight is read."""

import json
import struct
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from backend.errors import InvalidRequestError
from contracts.problem import ProblemItem
from contracts.reasons import Reason

_MAX_HEADER_BYTES = 100 * 2**20
_MAX_CONFIG_BYTES = 10 * 2**20
_DTYPES = {"F32": "float32", "BF16": "bfloat16", "F16": "float16", "F64": "float64"}
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
# With tied weights the head is the embedding; some files hold both.
_HEAD, _EMBEDDINGS = "lm_head.weight", ("model.embed_tokens.weight", "transformer.wte.weight")


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelFacts:
    architecture: str | None
    num_parameters: int
    dtype: str | None


class ModelFolderError(InvalidRequestError):
    def __init__(self, *, code: Reason, message: str, hint: str) -> None:
        item = ProblemItem(pointer="/source/path", code=code.value, message=message, hint=hint)
        super().__init__(
            code=code.value, title="This folder cannot be used as a model", detail=message, hint=hint, errors=[item]
        )


def inspect_folder(text: str, roots: tuple[Path, ...]) -> ModelFacts:
    """Read the facts of a folder in Hugging Face layout. Blocks for the disk. Raises ModelFolderError."""
    folder = Path(text)
    if not folder.is_absolute():
        raise _missing(f"{text!r} is not an absolute path.")
    folder = folder.resolve()
    if not any(folder.is_relative_to(root.resolve()) for root in roots):
        raise _missing(f"{text!r} is outside the folders models may come from.")
    if not folder.is_dir():
        raise _missing(f"There is no folder {text!r} on the service's machine.")
    config = _read_config(folder)
    tensors: dict[str, tuple[str, int]] = {}
    for file in _weight_files(folder):
        tensors |= _read_header(file)
    if not tensors:
        raise _unsupported(f"The safetensors files of {folder} hold no tensor.")
    if config.get("tie_word_embeddings", False) and any(name in tensors for name in _EMBEDDINGS):
        tensors.pop(_HEAD, None)
    elements: dict[str, int] = {}
    for dtype, count in tensors.values():
        elements[dtype] = elements.get(dtype, 0) + count
    architectures = config.get("architectures") or [None]
    main = max(elements, key=lambda dtype: elements[dtype], default=None)
    return ModelFacts(
        architecture=architectures[0],
        num_parameters=sum(elements.values()),
        dtype=_DTYPES.get(main, main.lower()) if main else None,
    )


def _read_config(folder: Path) -> dict[str, Any]:
    file = folder / "config.json"
    if not file.is_file():
        raise _unsupported(f"{folder} holds no config.json.")
    if file.stat().st_size > _MAX_CONFIG_BYTES:
        raise _unsupported(f"{file} has {file.stat().st_size} bytes, too many for a config.")
    try:
        config = json.loads(file.read_bytes())
    except ValueError as error:
        raise _unsupported(f"{file} is not JSON: {error}.") from error
    if not isinstance(config, dict):
        raise _unsupported(f"{file} is not a JSON object.")
    return config


def _weight_files(folder: Path) -> list[Path]:
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        pickles = sorted(file.name for pattern in _PICKLES for file in folder.glob(pattern))
        if pickles:
            raise _unsupported(f"{folder} holds its weights as pickles only ({', '.join(pickles[:3])}).")
        raise _unsupported(f"{folder} holds no *.safetensors file.")
    return files


def _read_header(file: Path) -> dict[str, tuple[str, int]]:
    """Name -> dtype and number of elements, of each tensor in the file."""
    try:
        with file.open("rb") as stream:
            (length,) = struct.unpack("<Q", stream.read(8))
            if length > _MAX_HEADER_BYTES:
                raise _unsupported(f"{file} is not a safetensors file: its header would have {length} bytes.")
            text = stream.read(length)
        if len(text) < length:
            raise _unsupported(f"{file} is cut short: its header has {len(text)} of {length} bytes.")
        header = json.loads(text)
        return {
            name: (entry["dtype"], prod(entry["shape"])) for name, entry in header.items() if name != "__metadata__"
        }
    except (struct.error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise _unsupported(f"{file} is not a safetensors file: {error}.") from error


def _missing(message: str) -> ModelFolderError:
    return ModelFolderError(
        code=Reason.MODEL_MISSING,
        message=message,
        hint="Give the full path of a folder in Hugging Face layout that service and box can read.",
    )


def _unsupported(message: str) -> ModelFolderError:
    return ModelFolderError(
        code=Reason.MODEL_UNSUPPORTED,
        message=message,
        hint="Save the model with `save_pretrained(folder, safe_serialization=True)`; pickles are never loaded.",
    )
