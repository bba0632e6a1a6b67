"""Settings of the API process, from the command line or `SPILLWAY_*` in the environment."""

from pathlib import Path

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

GIB = 2**30
_DATABASES = ("postgresql://", "postgres://", "postgresql+psycopg://", "sqlite:///")


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="SPILLWAY_", frozen=True, extra="ignore")

    data_dir: Path
    """The folder the service keeps everything in; made with mode 0700."""
    host: str = "127.0.0.1"
    port: int = Field(default=8321, ge=0, le=65535)
    """0 picks a free one."""
    database_url: str | None = None
    """Null: SQLite in the data folder. `postgresql+psycopg://...` for a team."""
    broker_url: str | None = None
    """`redis://`, `redis+socket:///path` or `filesystem:///folder`; null: agents find work by polling alone."""
    box_token: SecretStr | None = None
    box_token_file: Path | None = None
    """Where the agents' token is read from; both null: made once and kept as `box-token` in the data folder."""
    local_cli_token: bool = False
    """Write `cli-token`, an admin's API token for the command line of this machine."""
    model_roots: tuple[Path, ...] = (Path("/"),)
    """Folders below which models may be registered. The default suits one machine whose users may read it all."""
    max_dataset_bytes: int = Field(default=4 * GIB, ge=1)
    trusted_proxies: str = ""
    """Whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed: addresses or networks separated by commas, `*` for
    everybody. Empty: nobody's, or each caller could choose the address that its wrong passwords are counted by."""
    secure_cookies: bool = False
    """Set it behind a TLS proxy: the session cookie then travels over https only."""
    log_json: bool = False

    @field_validator("database_url")
    @classmethod
    def _is_supported(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(_DATABASES):
            msg = f"write postgresql://USER:PASSWORD@HOST/NAME, or leave it out for SQLite; not {value.split(':')[0]!r}"
            raise ValueError(msg)
        return value

    @property
    def resolved_database_url(self) -> str:
        return self.database_url or f"sqlite:///{self.data_dir.absolute() / 'spillway.db'}"
