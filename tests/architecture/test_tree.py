"""Facts about the files of the repository."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("offload_core", "contracts", "backend", "worker", "spillway")
LARGEST_LINES = 450
# Written by a generator, or one table of data.
NOT_WRITTEN_BY_HAND = re.compile(r"/generated/|package-lock\.json$|\.json$|\.jsonl$|\.svg$|constraints\.txt$|LICENSE$")
# In pieces, so that this file does not hold what it looks for.
FOREIGN = {
    "an address of a package registry": re.compile(
        "|".join(
            ["pypi" + r"\.org", "pythonhosted" + r"\.org", "npmjs" + r"\.(org|com)", "download.pytorch" + r"\.org"]
        )
    ),
    "a path of somebody's machine": re.compile(r"(?<![\w./])/(" + "|".join(["work", "root", "opt/py" + "pi"]) + r")/"),
}


def tracked_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git clone")
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def text_of(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def test_no_file_names_a_registry_or_a_machine() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {what}: {line.strip()[:120]}"
        for path in tracked_files()
        for number, line in enumerate((text_of(path) or "").splitlines(), start=1)
        for what, pattern in FOREIGN.items()
        if pattern.search(line)
    ]
    assert found == []


def test_no_file_is_too_long_to_read() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in tracked_files()
        if not NOT_WRITTEN_BY_HAND.search(str(path))
        and (text := text_of(path)) is not None
        and (lines := text.count("\n")) > LARGEST_LINES
    }
    assert long == {}


def test_package_inits_are_empty() -> None:
    # The engine's exports its public names lazily; it is tested where they are.
    filled = [
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("__init__.py")
        if path.read_text().strip() and path != ROOT / "offload_core" / "__init__.py"
    ]
    assert filled == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "misc"}
    named = [
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if path.stem in vague or vague & set(path.relative_to(ROOT).parts)
    ]
    assert named == []


def test_transformers_and_trl_are_imported_in_few_files() -> None:
    importing = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if imported_roots(path) & {"transformers", "trl"}
    }
    assert importing, "the test looks for something that is there"
    allowed = ("worker/training/", "offload_core/integrations/")
    assert [name for name in importing if not name.startswith(allowed)] == []
    assert len(importing) <= 12


def imported_roots(path: Path) -> set[str]:
    roots: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            roots |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            roots.add(node.module.split(".")[0])
    return roots
