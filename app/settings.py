"""Settings: environment first, then `sentra.toml` of the data folder. The same names in both."""

from __future__ import annotations

import os
import socket
import tomllib
from pathlib import Path

import platformdirs
from pydantic import Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

APP_FOLDER = "sentra-rental-counter"
SETTINGS_FILE = "sentra.toml"


class SettingsInvalid(Exception):
    """A setting cannot be read; the message names it."""


def default_data_dir() -> Path:
    """`SENTRA_DATA_DIR`, else the user's own data folder of this system."""
    given = os.environ.get("SENTRA_DATA_DIR")
    return Path(given) if given else Path(platformdirs.user_data_dir(APP_FOLDER, appauthor=False))


class Settings(BaseSettings):
    """Where the servers are and who this counter is. Nothing here is a secret of the gateway or of WhatsApp."""

    # Fields are filled by name in code only: without the prefix every system's LANG would be read as `lang`.
    model_config = SettingsConfigDict(
        extra="ignore", frozen=True, populate_by_name=True, env_prefix="SENTRA_FIELD_", env_ignore_empty=True
    )

    database_url: str | None = Field(default=None, validation_alias="DATABASE_URL")
    redis_url: str | None = Field(default=None, validation_alias="REDIS_URL")
    redlock_urls: str | None = Field(default=None, validation_alias="REDLOCK_URLS")
    data_dir: Path = Field(default_factory=default_data_dir, validation_alias="SENTRA_DATA_DIR")
    service_url: str | None = Field(default=None, validation_alias="SENTRA_SERVICE_URL")
    lang: str = Field(default="id", validation_alias="SENTRA_LANG", pattern="^(id|en)$")
    counter_name: str = Field(default_factory=socket.gethostname, validation_alias="SENTRA_COUNTER")
    role_prefix: str = Field(default="sentra", validation_alias="SENTRA_ROLE_PREFIX", pattern="^[a-z][a-z0-9_]{0,20}$")

    scanner_gap: int = Field(default=35, validation_alias="SENTRA_SCANNER_GAP", ge=20, le=80)
    """The longest time between two keys of a barcode scanner, in ms."""
    scanner_prefix: str = Field(default="", validation_alias="SENTRA_SCANNER_PREFIX")
    """What the scanner was told to send first, if anything."""

    @model_validator(mode="before")
    @classmethod
    def _empty_is_not_set(cls, given: object) -> object:
        return {name: value for name, value in given.items() if value != ""} if isinstance(given, dict) else given

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        file = TomlConfigSettingsSource(settings_cls, default_data_dir() / SETTINGS_FILE)
        return init_settings, env_settings, file

    @property
    def lock_nodes(self) -> tuple[str, ...]:
        """The Redlock nodes: `REDLOCK_URLS` separated by commas or spaces, else the one Redis."""
        named = tuple((self.redlock_urls or "").replace(",", " ").split())
        return named or ((self.redis_url,) if self.redis_url else ())


def load_settings(**overrides: object) -> Settings:
    """Read the settings; raises SettingsInvalid naming the bad one. Empty values count as not set."""
    try:
        return Settings(**overrides)  # type: ignore[arg-type]
    except ValidationError as no:
        first = no.errors()[0]
        raise SettingsInvalid(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as no:
        raise SettingsInvalid(f"{default_data_dir() / SETTINGS_FILE}: {no}") from None
