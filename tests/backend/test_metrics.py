"""Series in buckets: nothing lost, edges that stay, NaN counted, fast for long runs."""

import math
import random
import time
from datetime import UTC, datetime
from typing import Any

import httpx
from sqlalchemy import insert

from backend.db.models import Event, MetricBucket
from backend.metrics.buckets import STORED_LEVELS, Bucket, Point, fold, level_for
from backend.metrics.schemas import SeriesName
from tests.backend.agent import FakeAgent
from tests.backend.running import RunningApi
from tests.backend.test_flow import claim_next, submit


def test_buckets_tell_the_same_however_the_steps_came(
    admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]
) -> None:
    agent.register()
    job_id = submit(admin, spec)
    attempt = claim_next(agent)
    attempt.started()
    chance = random.Random(7)
    losses = [None if step % 97 == 0 else chance.uniform(1, 5) for step in range(1, 701)]
    events = [attempt.step(step, loss) for step, loss in enumerate(losses, start=1)]
    while events:
        size = chance.randint(1, 120)
        assert attempt.send(*events[:size]).status_code == 200
        del events[:size]
    attempt.send(attempt.event("evaluation.completed", when="after", step=700, loss=1.25, rows=2))

    for asked in (1000, 400, 100, 20, 3, 1):
        answer = admin.get(
            f"/jobs/{job_id}/metrics", params={"names": "loss,grad_norm,eval_loss", "buckets": asked}
        ).json()
        loss = answer["series"][0]["buckets"]
        assert answer["last_step"] == 700
        assert len(loss) <= asked
        widths = {bucket["to_step"] - bucket["from_step"] + 1 for bucket in loss}
        assert len(widths) == 1
        width = widths.pop()
        assert width & (width - 1) == 0
        for bucket in loss:
            assert bucket["from_step"] % width == 0
            inside = losses[max(bucket["from_step"], 1) - 1 : bucket["to_step"]]
            finite = [value for value in inside if value is not None]
            assert (bucket["count"], bucket["nan_count"]) == (len(inside), len(inside) - len(finite))
            expected = (min(finite), max(finite), finite[-1]) if finite else (None, None, None)
            assert (bucket["min"], bucket["max"], bucket["last"]) == expected
        assert answer["series"][2]["buckets"][-1]["last"] == 1.25
    near = admin.get(f"/jobs/{job_id}/metrics", params={"from_step": 95, "to_step": 99}).json()["series"][0]["buckets"]
    assert [bucket["from_step"] for bucket in near] == [95, 96, 97, 98, 99]
    assert [bucket["nan_count"] for bucket in near] == [0, 0, 1, 0, 0]
    unknown = admin.get(f"/jobs/{job_id}/metrics", params={"names": "loss,nope"})
    assert (unknown.status_code, unknown.json()["code"]) == (422, "unknown_series")
    assert "grad_norm" in unknown.json()["hint"]
    beyond = admin.get(f"/jobs/{job_id}/metrics", params={"from_step": 5000}).json()
    assert beyond == {"series": [{"name": "loss", "buckets": []}], "last_step": 700}


def test_a_million_steps_answer_in_a_fraction_of_a_second(
    api: RunningApi, admin: httpx.Client, agent: FakeAgent, spec: dict[str, Any]
) -> None:
    """The buckets an attempt of a million steps leaves are written straight into the table, then asked for by HTTP."""
    agent.register()
    job_id = submit(admin, spec)
    attempt = claim_next(agent)
    names = [name for name in SeriesName if name is not SeriesName.EVAL_LOSS]
    last = 1_000_000
    with api.runtime.database.write() as session:
        for level in STORED_LEVELS[1:]:
            rows = [
                {"attempt_id": attempt.claim.attempt_id, "name": name.value, "level": level, "bucket": number,
                 "min": 1.0, "max": 3.0, "last": 2.0, "last_step": number << level, "count": 1 << level, "nan_count": 0}
                for name in names for number in range((last >> level) + 1)
            ]  # fmt: skip
            session.execute(insert(MetricBucket), rows)
        row = {"project_id": "prj_default", "job_id": job_id, "attempt_id": attempt.claim.attempt_id, "seq": 1,
               "kind": "step.completed", "step": last, "time": datetime.now(UTC), "payload": "{}"}  # fmt: skip
        session.execute(insert(Event), [row])
    seconds = []
    for _ in range(3):
        began = time.monotonic()
        answer = admin.get(f"/jobs/{job_id}/metrics", params={"names": ",".join(names), "buckets": 400})
        seconds.append(time.monotonic() - began)
        assert answer.status_code == 200
    series = answer.json()["series"]
    assert len(series) == 15
    assert all(len(one["buckets"]) == 245 for one in series)
    assert min(seconds) < 1.0, seconds


def test_folding_in_two_halves_is_folding_at_once() -> None:
    chance = random.Random(1)
    found = [
        Point(name=SeriesName.LOSS, step=step, value=None if chance.random() < 0.2 else chance.uniform(-1, 1))
        for step in range(500)
    ]
    chance.shuffle(found)
    whole = fold(found, 6)
    halves = fold(found[:250], 6)
    for key, bucket in fold(found[250:], 6).items():
        halves.setdefault(key, Bucket()).merge(bucket)
    assert halves == whole
    total = Bucket()
    for bucket in whole.values():
        total.merge(bucket)
    assert (total.count, total.nan_count) == (500, sum(point.value is None for point in found))


def test_the_level_is_the_narrowest_that_fits() -> None:
    assert [level_for(steps, 400) for steps in (1, 400, 401, 800, 801, 10**6)] == [0, 0, 1, 1, 2, 12]
    for steps in (1, 7, 399, 5000, 10**7):
        level = level_for(steps, 100)
        assert math.ceil(steps / 2**level) <= 100
        assert level == 0 or math.ceil(steps / 2 ** (level - 1)) > 100
