"""What a model folder says of itself: config.json and the headers of its safetensors files. No weight is read."""

import json
import struct
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from pydantic_core import from_json

from backend.errors import InvalidRequestError
from backend.schemas import MAX_INTEGER
from contracts.problem import ProblemItem
from contracts.reasons import Reason

_MAX_HEADER_BYTES = 100 * 2**20
_MAX_CONFIG_BYTES = 10 * 2**20
_LONGEST_ARCHITECTURE = 200
_DTYPES = {"F32": "float32", "BF16": "bfloat16", "F16": "float16", "F64": "float64"}
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
# With tied weights the head is the embedding; some files hold both.
_HEAD, _EMBEDDINGS = "lm_head.weight", ("model.embed_tokens.weight", "transformer.wte.weight")


class _Tensor(BaseModel):
    dtype: str = Field(min_length=1, max_length=20)
    shape: list[Annotated[int, Field(ge=0, le=MAX_INTEGER)]] = Field(max_length=16)


_HEADER: TypeAdapter[dict[str, _Tensor]] = TypeAdapter(dict[str, _Tensor])


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
    try:
        return _inspect(text, roots)
    except OSError as error:
        raise _missing(f"{text!r} cannot be read: {error.strerror}.") from error


def _inspect(text: str, roots: tuple[Path, ...]) -> ModelFacts:
    folder = _resolve(text)
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
    num_parameters = sum(elements.values())
    if num_parameters > MAX_INTEGER:
        raise _unsupported(f"{folder} would have {num_parameters} parameters; the shapes in its files cannot be right.")
    main = max(elements, key=lambda dtype: elements[dtype])
    return ModelFacts(
        architecture=_architecture(config),
        num_parameters=num_parameters,
        dtype=_DTYPES.get(main, main.lower()),
    )


def _resolve(text: str) -> Path:
    folder = Path(text)
    if not folder.is_absolute() or "\0" in text:
        raise _missing(f"{text!r} is not an absolute path.")
    try:
        return folder.resolve()
    except RuntimeError as error:
        # Up to Python 3.12 this is how a loop of links is told.
        raise _missing(f"{text!r} leads in a circle.") from error


def _architecture(config: dict[str, Any]) -> str | None:
    named = config.get("architectures")
    first = named[0] if isinstance(named, list) and named else None
    return first[:_LONGEST_ARCHITECTURE] if isinstance(first, str) else None


def _read_config(folder: Path) -> dict[str, Any]:
    file = folder / "config.json"
    if not file.is_file():
        raise _unsupported(f"{folder} holds no config.json.")
    if file.stat().st_size > _MAX_CONFIG_BYTES:
        raise _unsupported(f"{file} has {file.stat().st_size} bytes, too many for a config.")
    try:
        config = json.loads(file.read_bytes())
    except (ValueError, RecursionError) as error:
        raise _unsupported(f"{file} is not JSON: {error}.") from error
    if not isinstance(config, dict):
        raise _unsupported(f"{file} is not a JSON object.")
    return config


def _weight_files(folder: Path) -> list[Path]:
    # Only what is a file: to open a pipe would wait for its writer for ever.
    files = sorted(file for file in folder.glob("*.safetensors") if file.is_file())
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
        parsed = from_json(text)
        if isinstance(parsed, dict):
            parsed.pop("__metadata__", None)
        header = _HEADER.validate_python(parsed)
    except ValidationError as error:
        wrong = error.errors(include_url=False)[0]
        where = "/".join(str(part) for part in wrong["loc"])
        raise _unsupported(f"{file} is not a safetensors file: {where or 'its header'}: {wrong['msg']}.") from error
    except (struct.error, ValueError) as error:
        raise _unsupported(f"{file} is not a safetensors file: {error}.") from error
    return {name: (entry.dtype, prod(entry.shape)) for name, entry in header.items()}


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
