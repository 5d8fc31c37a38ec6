"""The service's own settings of the payment gateway. Its server key is a secret: counters never read these."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from app.settings import SETTINGS_FILE, SettingsInvalid, default_data_dir

SIMULATED_KEYS = "SIMULASI-"
"""The embedded mode makes keys that begin like this; no provider's does. Neither is taken for the other."""


class GatewayMode(StrEnum):
    SANDBOX = "sandbox"
    PRODUCTION = "production"
    SIMULATED = "simulated"


class GatewaySettings(BaseSettings):
    """Environment first, then `sentra.toml` of the service's data folder. Without a server key there is no gateway."""

    model_config = SettingsConfigDict(
        extra="ignore", frozen=True, populate_by_name=True, env_prefix="SENTRA_FIELD_", env_ignore_empty=True
    )

    gateway_mode: GatewayMode = Field(default=GatewayMode.SANDBOX, validation_alias="SENTRA_GATEWAY_MODE")
    gateway_server_key: SecretStr | None = Field(default=None, validation_alias="SENTRA_GATEWAY_SERVER_KEY")
    gateway_url: str | None = Field(default=None, validation_alias="SENTRA_GATEWAY_URL")
    """Where the simulated gateway is; the others' addresses are known."""

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


def load_gateway_settings(**overrides: object) -> GatewaySettings:
    """Read them; raises SettingsInvalid naming the bad one, never its value."""
    try:
        found = GatewaySettings(**overrides)  # type: ignore[arg-type]
    except ValidationError as no:
        first = no.errors()[0]
        raise SettingsInvalid(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    if found.gateway_server_key is None:
        return found
    is_simulated = found.gateway_mode is GatewayMode.SIMULATED
    if is_simulated != found.gateway_server_key.get_secret_value().startswith(SIMULATED_KEYS):
        raise SettingsInvalid(f"SENTRA_GATEWAY_SERVER_KEY: it is none of the mode {found.gateway_mode.value}")
    if is_simulated and not found.gateway_url:
        raise SettingsInvalid("SENTRA_GATEWAY_URL: the simulated gateway has no address")
    return found
