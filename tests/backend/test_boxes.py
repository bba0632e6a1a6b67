"""Boxes by name: two agents of one name would run each attempt twice."""

import httpx

from tests.backend.agent import FakeAgent
from tests.backend.running import RunningApi


def test_an_agent_of_another_folder_cannot_take_the_name_of_a_living_box(api: RunningApi, admin: httpx.Client) -> None:
    with (
        FakeAgent(api.url, api.box_token, agent_id="a") as first,
        FakeAgent(api.url, api.box_token, agent_id="b") as two,
    ):
        box_id = first.register()["box_id"]
        for answer in (two.http.put("/box", json=two.state), two.http.post("/claims", json=two.state)):
            problem = answer.json()
            assert (answer.status_code, problem["code"]) == (409, "box_name_taken")
            assert "'box-1'" in problem["detail"]
            assert "--name" in problem["hint"]
        assert first.register()["box_id"] == box_id, "its own agent goes on, also after a restart"

        api.clock.advance(16)
        assert two.register()["box_id"] == box_id, "a new folder takes over once the old agent is silent"
        assert first.http.post("/claims", json=first.state).status_code == 409


def test_an_agent_before_agent_ids_is_let_in(api: RunningApi, admin: httpx.Client) -> None:
    with FakeAgent(api.url, api.box_token) as old, FakeAgent(api.url, api.box_token, agent_id="a") as new:
        assert old.register() == new.register() == old.register()
