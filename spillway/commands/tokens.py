"""spillway token: API tokens for scripts."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from spillway.commands.options import AsJson, Token, Url, connect
from spillway.output import note, say, show_table, write_json

tokens = typer.Typer(no_args_is_help=True, help="API tokens for scripts.")


@tokens.command("create")
def create_token(
    name: Annotated[str, typer.Argument(help="What it is for.")],
    expires_in_days: Annotated[
        int | None, typer.Option("--expires-in-days", min=1, help="Else it never expires.")
    ] = None,
    as_json: AsJson = False,
    url: Url = None,
    token: Token = None,
) -> None:
    """Make a token and print it, this once."""
    with connect(url, token) as client:
        made = client.create_token(name, expires_in_days)
    if as_json:
        write_json(made)
        return
    note("Keep it now; it is not shown again.")
    say(made.token)


@tokens.command("list")
def list_tokens(as_json: AsJson = False, url: Url = None, token: Token = None) -> None:
    """List the tokens, without their secrets."""
    with connect(url, token) as client:
        found = list(client.tokens())
    if as_json:
        write_json(found)
    else:
        rows = [(item.token_id, item.name, _day(item.expires_at), _day(item.last_used_at)) for item in found]
        show_table("", ("token", "name", "expires", "last used"), rows)


@tokens.command("revoke")
def revoke_token(
    token_id: Annotated[str, typer.Argument(metavar="TOKEN_ID")], url: Url = None, token: Token = None
) -> None:
    """Make a token useless at once."""
    with connect(url, token) as client:
        client.revoke_token(token_id)
    say(f"{token_id} revoked")


def _day(value: datetime | None) -> str:
    return "never" if value is None else value.astimezone(UTC).strftime("%Y-%m-%d %H:%MZ")
