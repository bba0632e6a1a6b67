"""`spillway logs -f` against a real API."""

import os
import subprocess
import sys
from pathlib import Path

from backend.settings import Settings
from tests.backend.agent import FakeAgent
from tests.backend.conftest import write_model
from tests.backend.running import ROWS, run_api
from tests.backend.test_flow import claim_next
from tests.services import wait_until


def test_followed_logs_go_on_with_the_next_attempt_from_its_first_byte(tmp_path: Path) -> None:
    api = run_api(Settings(data_dir=tmp_path / "data"))
    output = tmp_path / "output"
    source = {"kind": "local_folder", "path": str(write_model(tmp_path / "model"))}
    with api.admin() as admin, FakeAgent(api.url, api.box_token) as agent, output.open("wb") as file:
        assert admin.post("/models", json={"name": "tiny", "source": source}).status_code == 201
        assert admin.post("/datasets", params={"name": "numbers"}, content=ROWS).status_code == 201
        agent.register()
        job_id = admin.post("/jobs", json={"name": "j", "model": "tiny", "dataset": "numbers"}).json()["job_id"]
        first = claim_next(agent)
        first.started()
        first.log(0, b"a long line of the first attempt\n" * 10)
        token = admin.headers["Authorization"].removeprefix("Bearer ")
        command = [sys.executable, "-m", "spillway", "logs", job_id, "-f", "--url", api.url, "--token", token]
        following = subprocess.Popen(command, stdout=file, env=os.environ | {"SPILLWAY_DATA_DIR": str(tmp_path)})
        wait_until(lambda: output.stat().st_size, "the first lines are there")
        first.log(10 * 33, b"its last words\n")
        first.finish("interrupted")
        agent.register()
        second = claim_next(agent)
        second.started()
        second.log(0, b"the second attempt\n")
        second.finish("failed", reason="user_error")
        assert following.wait(20) == 0
    api.stop()
    assert output.read_bytes() == b"a long line of the first attempt\n" * 10 + b"its last words\nthe second attempt\n"
