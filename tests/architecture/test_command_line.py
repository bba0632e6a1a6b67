"""The command line is a promise: an option that comes, goes or changes is seen here."""

import statistics
import subprocess
import sys
import time
from pathlib import Path

import typer.main

from spillway.cli import app

FROZEN = Path(__file__).with_name("command_line.txt")


def test_commands_and_options_are_the_frozen_ones() -> None:
    assert "\n".join(describe(typer.main.get_command(app), "spillway")) + "\n" == FROZEN.read_text(encoding="utf-8")


def describe(command: object, path: str) -> list[str]:
    subcommands = getattr(command, "commands", None)
    if subcommands is not None:
        return [line for name in sorted(subcommands) for line in describe(subcommands[name], f"{path} {name}")]
    parts = sorted(
        "/".join([*parameter.opts, *parameter.secondary_opts])
        if parameter.param_type_name == "option"
        else f"<{parameter.name}{'' if parameter.required else '?'}>"
        for parameter in command.params  # type: ignore[attr-defined]
        if parameter.name != "help"
    )
    return [f"{path}: {' '.join(parts)}"]


def test_help_answers_within_a_second() -> None:
    def once() -> float:
        started = time.monotonic()
        ran = subprocess.run([sys.executable, "-m", "spillway", "--help"], capture_output=True, text=True, check=True)
        assert "Fine-tune models larger than your GPU" in ran.stdout
        return time.monotonic() - started

    assert statistics.median(once() for _ in range(3)) < 1.0
