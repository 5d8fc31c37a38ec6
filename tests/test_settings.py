"""Settings: the environment wins over `sentra.toml`, foreign variables mean nothing, a bad value is named."""

import os
from pathlib import Path

import pytest

from app.gateway_settings import load_gateway_settings
from app.settings import Settings, SettingsInvalid, load_settings


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No setting of the person who runs the tests mixes in; `sentra.toml` is looked for in `tmp_path`."""
    for name in tuple(os.environ):
        if name.startswith("SENTRA_") or name in {"DATABASE_URL", "REDIS_URL", "REDLOCK_URLS"}:
            monkeypatch.delenv(name)
    monkeypatch.setenv("SENTRA_DATA_DIR", str(tmp_path))


def test_variables_of_the_system_that_are_called_like_a_field_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANG", "DATA_DIR", "COUNTER_NAME", "ROLE_PREFIX", "SERVICE_URL"):
        monkeypatch.setenv(name, "C.UTF-8")
    found = load_settings()
    assert (found.lang, found.role_prefix, found.service_url) == ("id", "sentra", None)
    assert found.counter_name != "C.UTF-8"


def test_the_environment_wins_over_the_file_and_the_file_over_the_default(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "sentra.toml").write_text(
        'DATABASE_URL = "postgresql://file/sentra"\nREDIS_URL = "redis://file/0"\nSENTRA_LANG = "en"\n', "utf-8"
    )
    monkeypatch.setenv("DATABASE_URL", "postgresql://env/sentra")
    found = load_settings()
    assert (found.database_url, found.redis_url, found.lang) == ("postgresql://env/sentra", "redis://file/0", "en")
    assert found.data_dir == tmp_path


def test_an_empty_value_counts_as_not_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "sentra.toml").write_text('REDIS_URL = "redis://file/0"\nSENTRA_SERVICE_URL = ""\n', "utf-8")
    for name in ("DATABASE_URL", "REDIS_URL", "SENTRA_LANG", "SENTRA_COUNTER"):
        monkeypatch.setenv(name, "")
    found = load_settings()
    assert found.database_url is None
    assert found.redis_url == "redis://file/0"
    assert found.service_url is None
    assert found.lang == "id"
    assert found.counter_name
    assert os.environ["DATABASE_URL"] == "", "the environment of our children is left as it was"


def test_another_scanner_is_fitted_in_the_environment_or_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert (load_settings().scanner_gap, load_settings().scanner_prefix) == (35, "")
    (tmp_path / "sentra.toml").write_text('SENTRA_SCANNER_GAP = 20\nSENTRA_SCANNER_PREFIX = "~"\n', "utf-8")
    monkeypatch.setenv("SENTRA_SCANNER_GAP", "80")
    assert (load_settings().scanner_gap, load_settings().scanner_prefix) == (80, "~")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SENTRA_LANG", "fr"),
        ("SENTRA_ROLE_PREFIX", 'x"; DROP ROLE y'),
        ("SENTRA_SCANNER_GAP", "fast"),
        ("SENTRA_SCANNER_GAP", "19"),
        ("SENTRA_SCANNER_GAP", "81"),
    ],
)
def test_a_bad_value_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsInvalid, match=name):
        load_settings()


@pytest.mark.parametrize("content", [b'SENTRA_LANG = "en\n', b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "sentra.toml").write_bytes(content)
    with pytest.raises(SettingsInvalid, match=r"sentra\.toml"):
        load_settings()


def test_lock_nodes_are_the_named_ones_or_the_one_redis() -> None:
    assert Settings(redis_url="redis://a/0").lock_nodes == ("redis://a/0",)
    assert Settings(redis_url="redis://a/0", redlock_urls="redis://b/0, redis://c/0").lock_nodes == (
        "redis://b/0",
        "redis://c/0",
    )
    assert Settings().lock_nodes == ()


def test_a_gateways_key_and_mode_belong_together_and_no_message_tells_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_gateway_settings().gateway_server_key is None
    for mode, key, url, wrong in (
        ("sandbox", "SB-Mid-server-x", "", ""),
        ("production", "Mid-server-x", "", ""),
        ("simulated", "SIMULASI-x", "http://127.0.0.1:9", ""),
        ("simulated", "Mid-server-x", "http://127.0.0.1:9", "SERVER_KEY"),
        ("production", "SIMULASI-x", "", "SERVER_KEY"),
        ("simulated", "SIMULASI-x", "", "URL"),
        ("elsewhere", "Mid-server-x", "", "MODE"),
    ):
        monkeypatch.setenv("SENTRA_GATEWAY_MODE", mode)
        monkeypatch.setenv("SENTRA_GATEWAY_SERVER_KEY", key)
        monkeypatch.setenv("SENTRA_GATEWAY_URL", url)
        if wrong:
            with pytest.raises(SettingsInvalid, match=f"SENTRA_GATEWAY_{wrong}") as no:
                load_gateway_settings()
            assert key not in str(no.value)
        else:
            found = load_gateway_settings()
            assert found.gateway_mode == mode
            assert key not in repr(found)
