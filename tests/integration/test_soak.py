"""Minutes of parts dying at random moments under a stream of jobs; nothing may be lost, doubled or left behind.

SOAK_SECONDS (300) says how long, SOAK_SEED which moments.
"""

import os
import random
import time

import pytest

from tests.integration.redis_server import RedisServer
from tests.integration.stack import Inputs, Stack, assert_whole_run, submit_tiny, wait_for_end

pytestmark = [pytest.mark.soak, pytest.mark.timeout(3600)]
STEPS = 200


def test_jobs_come_through_whole_while_parts_die_at_random(stack: Stack, inputs: Inputs, redis: RedisServer) -> None:
    seconds = float(os.environ.get("SOAK_SECONDS", "300"))
    seed = int(os.environ.get("SOAK_SEED", str(random.randrange(2**31))))
    print(f"SOAK_SEED={seed}")
    chance = random.Random(seed)

    def agent() -> None:
        stack.kill("agent")
        time.sleep(chance.uniform(0, 2))
        stack.start_agent()

    def api() -> None:
        stack.kill("api")
        time.sleep(chance.uniform(0, 2))
        stack.start_api()

    def broker() -> None:
        redis.stop()
        time.sleep(chance.uniform(0, 3))
        redis.start()

    ends_at = time.monotonic() + seconds
    submitted: list[str] = []
    with stack.client() as client:
        while time.monotonic() < ends_at:
            waiting = [job_id for job_id in submitted if not client.job(job_id).state.is_final]
            if len(waiting) < 2:
                submitted.append(submit_tiny(client, inputs, steps=STEPS, name=f"soak {len(submitted)}").job_id)
            time.sleep(chance.uniform(0.5, 6))
            chance.choice([agent, api, broker])()
        for job_id in submitted:
            wait_for_end(client, job_id)
            assert_whole_run(client, job_id, STEPS)
    assert submitted
