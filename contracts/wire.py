"""Names both ends of a wire must agree on."""

API_PREFIX = "/api/v1"
INTERNAL_PREFIX = "/internal/v1"
TASK_WAKE = "box.wake"
"""Celery task: "look at your claims"; carries an attempt id and no truth."""
WAKE_EXPIRES_SECONDS = 60.0
LEASE_SECONDS = 30.0
"""An attempt not heard of for this long is lost. The agent renews every HEARTBEAT_SECONDS."""
HEARTBEAT_SECONDS = 2.0
POLL_SECONDS = 2.0
MAX_STEP_EVENT_BYTES = 1024


def box_queue(box_id: str) -> str:
    """The Celery queue of one box."""
    return f"spillway.box.{box_id}"
