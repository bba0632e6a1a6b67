"""The Celery child of the agent. Its one task lasts a millisecond and carries no truth."""

import os
from pathlib import Path

from celery import Celery
from celery.signals import worker_init

from contracts.broker import broker_options
from contracts.wire import TASK_WAKE
from worker.prctl import die_with_parent
from worker.settings import AGENT_PID_VARIABLE, BROKER_VARIABLE, RUN_FOLDER_VARIABLE
from worker.wake_socket import poke_agent


def make_app(broker_url: str) -> Celery:
    url, transport_options = broker_options(broker_url)
    if "data_folder_in" in transport_options:
        Path(transport_options["data_folder_in"]).mkdir(mode=0o700, parents=True, exist_ok=True)
    made = Celery("spillway", broker=url)
    made.conf.update(
        broker_transport_options=transport_options,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        accept_content=["json"],
        task_serializer="json",
        # Acknowledged before it runs: nothing is ever redelivered, so no visibility timeout can repeat it.
        task_acks_late=False,
        task_ignore_result=True,
        worker_prefetch_multiplier=1,
        worker_enable_remote_control=False,
        worker_hijack_root_logger=False,
        enable_utc=True,
    )
    return made


app = make_app(os.environ[BROKER_VARIABLE])


@app.task(name=TASK_WAKE)  # type: ignore[untyped-decorator]
def wake(attempt_id: str = "") -> None:  # noqa: ARG001 - an id for the broker's own log
    """Look at your claims."""
    poke_agent(Path(os.environ[RUN_FOLDER_VARIABLE]))


@worker_init.connect  # type: ignore[untyped-decorator]
def _end_with_the_agent(**_: object) -> None:
    die_with_parent(int(os.environ[AGENT_PID_VARIABLE]))
