import os
from pathlib import Path

import pytest

from spillway.errors import BadInputError
from spillway.launcher.process_identity import start_ticks
from spillway.locations import ServerRecord, find_connection

URL = "http://127.0.0.1:8321"


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("SPILLWAY_URL", "SPILLWAY_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SPILLWAY_DATA_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def running(data_dir: Path) -> Path:
    (data_dir / "server.json").write_text(ServerRecord(url=URL, pid=1).model_dump_json())
    (data_dir / "api").mkdir()
    (data_dir / "api" / "cli-token").write_text("spw_local\n")
    return data_dir


@pytest.mark.usefixtures("running")
def test_the_machines_own_server_is_found_with_its_token() -> None:
    connection = find_connection(None, None)
    assert (connection.url, connection.token) == (URL, "spw_local")


@pytest.mark.usefixtures("running")
def test_the_machines_token_is_never_sent_elsewhere() -> None:
    with pytest.raises(BadInputError, match="A token is needed to talk to https://elsewhere"):
        find_connection("https://elsewhere.example", None)


def test_the_token_is_not_handed_to_whoever_has_a_killed_servers_port(running: Path) -> None:
    record = ServerRecord(url=URL, pid=os.getpid(), start_ticks=start_ticks(os.getpid()))
    (running / "server.json").write_text(record.model_dump_json())
    assert find_connection(None, None).token == "spw_local"
    dead = record.model_copy(update={"start_ticks": record.start_ticks - 1})
    (running / "server.json").write_text(dead.model_dump_json())
    with pytest.raises(BadInputError, match="No server runs on"):
        find_connection(None, None)
    with pytest.raises(BadInputError, match="A token is needed"):
        find_connection(URL, None)


@pytest.mark.usefixtures("running")
def test_options_win_over_the_environment_and_it_over_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPILLWAY_URL", "https://team.example/")
    monkeypatch.setenv("SPILLWAY_TOKEN", "spw_team")
    connection = find_connection(None, None)
    assert (connection.url, connection.token) == ("https://team.example", "spw_team")
    assert find_connection("https://other.example", "spw_other").token == "spw_other"


@pytest.mark.usefixtures("data_dir")
def test_without_a_server_the_next_step_is_named() -> None:
    with pytest.raises(BadInputError) as raised:
        find_connection(None, None)
    assert "spillway up" in raised.value.hint
