"""The `spillway` command."""

import os
import sys

import typer

from spillway.commands.artifacts import artifacts
from spillway.commands.catalogue import datasets, models
from spillway.commands.demo import demo
from spillway.commands.jobs import cancel, jobs, logs, submit
from spillway.commands.services import PASS_THROUGH, api, up, worker
from spillway.commands.tokens import tokens
from spillway.commands.train import train
from spillway.errors import FAILED, INTERRUPTED, SpillwayError
from spillway.output import show_error

app = typer.Typer(
    name="spillway",
    help="Fine-tune models larger than your GPU, on the box your team already shares.",
    no_args_is_help=True,
    add_completion=False,
    # A traceback is for our own faults, and then it is Python's own, whole.
    pretty_exceptions_enable=False,
)
app.command()(up)
app.command()(demo)
app.command()(train)
app.command()(submit)
app.command()(jobs)
app.command()(logs)
app.command()(cancel)
app.add_typer(artifacts, name="artifacts")
app.add_typer(models, name="models")
app.add_typer(datasets, name="datasets")
app.add_typer(tokens, name="token")
app.command(context_settings=PASS_THROUGH, add_help_option=False)(api)
app.command(context_settings=PASS_THROUGH, add_help_option=False)(worker)


def main() -> None:
    """Exit codes: 0 done, 1 failed, 2 bad input, 130 interrupted."""
    # Processes started from here take our packages, not a folder named `worker` that lies where a person works.
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        app()
    except SpillwayError as error:
        show_error(error, as_json="--json" in sys.argv[1:])
        sys.exit(error.exit_code)
    except OSError as error:
        # A disk or a folder of this machine, not a fault of ours.
        what = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        show_error(
            SpillwayError(f"{what}.", hint="Check the path, its owner and the room on its disk."),
            as_json="--json" in sys.argv[1:],
        )
        sys.exit(FAILED)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
