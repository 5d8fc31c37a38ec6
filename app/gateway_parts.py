"""Chooses the gateway's adapters for bootstrap: the provider's addresses by setting, the desk of the service."""

from __future__ import annotations

from app.gateway_settings import GatewayMode, GatewaySettings
from app.settings import Settings, SettingsInvalid
from app.usecases.gateway import GatewayDesk
from app.usecases.index_work import IndexWork
from app.usecases.ports import Store
from app.usecases.ports_gateway import GatewayBell


def gateway_desk(settings: GatewaySettings, store: Store, work: IndexWork) -> GatewayDesk | None:
    """None without a server key: then nothing is paid through a gateway here."""
    from app.adapters.clock import SystemIds
    from app.adapters.gateway.midtrans import PRODUCTION, SANDBOX, Midtrans, simulated
    from app.adapters.gateway.midtrans_words import MidtransNotices

    if settings.gateway_server_key is None:
        return None
    key = settings.gateway_server_key.get_secret_value()
    if settings.gateway_mode is GatewayMode.SIMULATED:
        addresses = simulated(settings.gateway_url or "")
    else:
        addresses = PRODUCTION if settings.gateway_mode is GatewayMode.PRODUCTION else SANDBOX
    return GatewayDesk(store, Midtrans(addresses, key), MidtransNotices(key), work, SystemIds())


def refuse_simulation(gateway: GatewaySettings, settings: Settings) -> None:
    """The simulated gateway's money counts on the private servers of a running supervisor only: it gives its service
    the folder, the folder's own key and its database. Anything else raises SettingsInvalid."""
    if gateway.gateway_server_key is None or gateway.gateway_mode is not GatewayMode.SIMULATED:
        return
    from app.embedded.simulated_gateway import why_not_here

    key = gateway.gateway_server_key.get_secret_value()
    if why := why_not_here(settings.data_dir, key, settings.database_url or ""):
        raise SettingsInvalid(f"SENTRA_GATEWAY_MODE: the simulated gateway is of the embedded mode only: {why}")


def gateway_bell(service_url: str | None) -> GatewayBell:
    """A counter's bell at this service."""
    from app.adapters.gateway.bell_http import BellOverHttp

    return BellOverHttp(service_url)
