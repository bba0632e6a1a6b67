"""What recognising a caller needs: the pepper, the box token, the throttle, the password hasher."""

import hashlib
import hmac
import secrets
from functools import cached_property
from pathlib import Path

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from backend.folder import write_private
from backend.people.throttle import Throttle

TOKEN_PREFIX = "spw_"  # noqa: S105 - a prefix that lets scanners find leaked tokens


class Gate:
    def __init__(self, *, pepper: bytes, box_token: str, setup_code_file: Path) -> None:
        self._pepper = pepper
        self._box_token = box_token
        self._setup_code_file = setup_code_file
        self._passwords = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
        self.throttle = Throttle()

    def hash_token(self, token: str) -> str:
        """The keyed hash that is stored: of no use to a thief of the database alone."""
        return hmac.new(self._pepper, token.encode(), hashlib.sha256).hexdigest()

    def is_box_token(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self._box_token.encode())

    def new_api_token(self) -> str:
        return TOKEN_PREFIX + secrets.token_urlsafe(32)

    def hash_password(self, password: str) -> str:
        return self._passwords.hash(password)

    def password_matches(self, password: str, password_hash: str | None) -> bool:
        """Takes as long for an unknown user (None) as for a known one."""
        try:
            self._passwords.verify(password_hash or self._decoy, password)
        except (VerificationError, InvalidHashError):
            return False
        return password_hash is not None

    def open_setup(self) -> str:
        """The one-time code for the first admin; kept over restarts until it is used."""
        if not self._setup_code_file.exists():
            write_private(self._setup_code_file, secrets.token_urlsafe(24) + "\n")
        return self._setup_code_file.read_text().strip()

    def setup_code_matches(self, code: str) -> bool:
        return self._setup_code_file.exists() and hmac.compare_digest(code.encode(), self.open_setup().encode())

    def close_setup(self) -> None:
        self._setup_code_file.unlink(missing_ok=True)

    @cached_property
    def _decoy(self) -> str:
        return self._passwords.hash(secrets.token_hex())
