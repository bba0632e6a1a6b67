"""Bodies of set-up, sign-in and tokens."""

from pydantic import Field

from backend.authorization import Role
from contracts.base import Contract, UtcTime


class SetupRead(Contract):
    needs_setup: bool
    """True until the first admin exists; then the one-time link printed at the first start makes it."""


class SetupRequest(Contract):
    code: str = Field(max_length=200)
    """From the link printed at the first start: `/setup#code=...`."""
    username: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._@-]*$", max_length=100, examples=["ada"])
    password: str = Field(min_length=8, max_length=200, examples=["correct horse battery"])


class SignInRequest(Contract):
    username: str = Field(max_length=100, examples=["ada"])
    password: str = Field(max_length=200, examples=["correct horse battery"])


class UserRead(Contract):
    user_id: str
    """Empty for a token that belongs to no person."""
    username: str
    role: Role
    project_id: str


class TokenRequest(Contract):
    name: str = Field(min_length=1, max_length=100, examples=["nightly script"])
    expires_in_days: int | None = Field(default=None, ge=1, le=3650)


class TokenRead(Contract):
    token_id: str
    name: str
    created_at: UtcTime
    expires_at: UtcTime | None
    last_used_at: UtcTime | None


class TokenCreated(TokenRead):
    token: str
    """Shown this once; only a keyed hash is kept."""
