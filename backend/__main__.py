"""`python -m backend serve | migrate | openapi`."""

import argparse
import sys
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from backend.app import create_app
from backend.db import migrate
from backend.db.migrate import SchemaMismatchError
from backend.folder import FolderInUseError, SecretEmptyError
from backend.openapi import openapi_text
from backend.server import serve
from backend.settings import Settings
from contracts.broker import BrokerUrlError


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit status; what went wrong stands on standard error with the next step."""
    options = vars(_parser().parse_args(arguments))
    command = options.pop("command")
    if command == "openapi":
        sys.stdout.write(openapi_text(create_app(None)))
        return 0
    try:
        # What was not given on the command line comes from the environment.
        settings = Settings(**{name: value for name, value in options.items() if value is not None})
        if command == "migrate":
            settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            migrate.upgrade(settings.resolved_database_url)
        else:
            serve(settings)
    except ValidationError as error:
        for issue in error.errors():
            name = "_".join(str(part) for part in issue["loc"])
            sys.stderr.write(f"--{name.replace('_', '-')} or SPILLWAY_{name.upper()}: {issue['msg']}\n")
        return 2
    except (FolderInUseError, SchemaMismatchError, BrokerUrlError, SecretEmptyError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except SQLAlchemyError as error:
        # Its first lines say what the driver said; the rest is for us.
        said = str(error.orig if isinstance(error, DBAPIError) else error).strip()
        sys.stderr.write(f"the database cannot be used: {said}\nCheck --database-url, and that the database is up.\n")
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m backend", description="Spillway's API.")
    commands = parser.add_subparsers(dest="command", required=True)
    serve_command = commands.add_parser("serve", help="run the API until a signal comes")
    migrate_command = commands.add_parser("migrate", help="bring the database to this version's schema")
    commands.add_parser("openapi", help="print the OpenAPI document")
    for command in (serve_command, migrate_command):
        command.add_argument("--data-dir", type=Path, help="the folder everything is kept in")
        command.add_argument("--database-url", help="postgresql://...; without it SQLite in the data folder")
    serve_command.add_argument("--host", help="address to listen on (127.0.0.1)")
    serve_command.add_argument("--port", type=int, help="port to listen on (8321); 0 picks a free one")
    serve_command.add_argument("--broker-url", help="redis://..., redis+socket:///PATH or filesystem:///FOLDER")
    serve_command.add_argument("--box-token-file", type=Path, help="where the agents' token is read from")
    flag: dict[str, Any] = {"action": "store_const", "const": True}
    serve_command.add_argument("--local-cli-token", help="write cli-token for this machine's command line", **flag)
    serve_command.add_argument("--log-json", help="logs as JSON lines", **flag)
    return parser


if __name__ == "__main__":
    sys.exit(main())
