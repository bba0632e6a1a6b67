"""The data folder: where each file lies, and the secrets that are made at the first start."""

import fcntl
import os
import secrets
from pathlib import Path

from backend.settings import Settings


class FolderInUseError(Exception):
    """Another API process runs on this data folder."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"another Spillway API already runs on {path}; stop it or choose another --data-dir")


class SecretEmptyError(Exception):
    """A secret that was given holds nothing: nobody could ever present it."""

    def __init__(self, where: str) -> None:
        super().__init__(f"{where} is empty; put the agents' token into it, or leave it out to have one made")


class DataFolder:
    """Paths below the data folder. Names in them are made here or are checked ids and hashes, never a person's text."""

    def __init__(self, root: Path) -> None:
        self.root = root.absolute()
        for folder in (self.root, self.blobs, self.parts, self.root / "logs", self.root / "spans"):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # It may have been there before, with the mode its owner is used to.
        self.root.chmod(0o700)

    @property
    def blobs(self) -> Path:
        return self.root / "blobs"

    @property
    def parts(self) -> Path:
        return self.root / "parts"

    @property
    def setup_code_file(self) -> Path:
        return self.root / "setup-code"

    @property
    def cli_token_file(self) -> Path:
        return self.root / "cli-token"

    def log_file(self, attempt_id: str) -> Path:
        return self.root / "logs" / f"{attempt_id}.log"

    def spans_folder(self, attempt_id: str) -> Path:
        return self.root / "spans" / attempt_id

    def lock(self) -> int:
        """Hold the folder for this process; the descriptor must stay open. Raises FolderInUseError."""
        descriptor = os.open(self.root / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise FolderInUseError(self.root) from None
        return descriptor

    def discard_parts(self) -> None:
        """Remove what uploads of an earlier process left half-made."""
        for part in self.parts.iterdir():
            part.unlink()

    def pepper(self) -> bytes:
        """The key that tokens are hashed with."""
        return _keep_secret(self.root / "secret-key").encode()

    def box_token(self, settings: Settings) -> str:
        """Raises SecretEmptyError, OSError."""
        if settings.box_token is not None:
            return _not_empty(settings.box_token.get_secret_value(), "SPILLWAY_BOX_TOKEN")
        if settings.box_token_file is not None:
            return _not_empty(settings.box_token_file.read_text().strip(), str(settings.box_token_file))
        return _keep_secret(self.root / "box-token")


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner reads, whole or not at all."""
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
    part.replace(path)


def _not_empty(secret: str, where: str) -> str:
    if not secret:
        raise SecretEmptyError(where)
    return secret


def _keep_secret(path: Path) -> str:
    if not path.exists():
        write_private(path, secrets.token_urlsafe(32) + "\n")
    return path.read_text().strip()
