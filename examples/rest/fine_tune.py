#!/usr/bin/env python3
"""Fine-tune a model over Spillway's REST API, with nothing but Python's standard library.

    export SPILLWAY_URL=http://127.0.0.1:8321 SPILLWAY_USER=ada SPILLWAY_PASSWORD=...
    python3 fine_tune.py MODEL_FOLDER ROWS.jsonl OUTPUT_FOLDER [--steps 40] [--placement nvme]

Set SPILLWAY_TOKEN instead of user and password where you have a token. Every call below can be made with curl as
well; docs/openapi.json describes them all.
"""

import argparse
import hashlib
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from http.client import HTTPException
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

URL = os.environ.get("SPILLWAY_URL", "http://127.0.0.1:8321").rstrip("/")
API = f"{URL}/api/v1"
FINAL = {"succeeded", "failed", "cancelled"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, help="a folder in Hugging Face layout that the server can read")
    parser.add_argument("rows", type=Path, help='lines of {"instruction": ..., "output": ...}')
    parser.add_argument("output", type=Path, help="where the trained model goes")
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--placement", choices=["nvme", "host"], default="nvme")
    given = parser.parse_args()

    # 1. A token. From here on it is the only secret.
    token = os.environ.get("SPILLWAY_TOKEN") or make_token(os.environ["SPILLWAY_USER"], os.environ["SPILLWAY_PASSWORD"])

    # 2. The model: registered once, named by its id. The same again answers the one that is there.
    source = {"kind": "local_folder", "path": str(given.model.resolve())}
    model = call(token, "POST", "/models", {"name": given.model.name, "source": source})
    print(f"model    {model['model_id']} {model['name']}")

    # 3. The data: sent as it is, checked line by line.
    with given.rows.open("rb") as file:
        dataset = call(token, "POST", f"/datasets?name={given.rows.stem}", file.read())
    print(f"dataset  {dataset['dataset_id']} {dataset['num_rows']} rows")

    # 4. The job. The key makes it safe to send again when an answer was lost: there will be one job.
    spec = {
        "name": "from a script",
        "model": model["model_id"],
        "dataset": dataset["dataset_id"],
        "training": {"max_steps": given.steps, "batch_size": 4, "learning_rate": 5e-4},
        "placement": given.placement,
    }
    job = call(token, "POST", "/jobs", spec, {"Idempotency-Key": uuid.uuid4().hex})
    job_id = job["job_id"]
    print(f"job      {job_id} {URL}/jobs/{job_id}")

    # 5. Its events, as they happen.
    state = follow(token, job_id)
    if state != "succeeded":
        job = call(token, "GET", f"/jobs/{job_id}")
        print(f"{state}: {job['message'] or job['reason']}", file=sys.stderr)
        return 1

    # 6. The trained model, each file checked against its hash.
    for item in call(token, "GET", f"/jobs/{job_id}/artifacts")["items"]:
        target = given.output / item["name"]
        target.parent.mkdir(parents=True, exist_ok=True)
        with request(token, "GET", f"/jobs/{job_id}/artifacts/{item['name']}") as answer, target.open("wb") as file:
            summed = hashlib.sha256()
            while block := answer.read(1 << 20):
                summed.update(block)
                file.write(block)
        if summed.hexdigest() != item["sha256"]:
            print(f"{item['name']} arrived damaged", file=sys.stderr)
            return 1
    print(f"artifact {given.output.resolve()}")
    return 0


def make_token(user: str, password: str) -> str:
    """Sign in as the page does, with a cookie, and make a token that ends by itself."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    # Requests with a cookie must show that they come from the page's own address.
    headers = {"Content-Type": "application/json", "X-Spillway-CSRF": "1", "Origin": URL}

    def post(path: str, body: dict[str, Any]) -> dict[str, Any]:
        sent = urllib.request.Request(API + path, json.dumps(body).encode(), headers, method="POST")
        with answered(lambda: browser.open(sent)) as answer:
            return dict(json.load(answer))

    post("/sessions", {"username": user, "password": password})
    return str(post("/tokens", {"name": "fine_tune.py", "expires_in_days": 1})["token"])


def follow(token: str, job_id: str) -> str:
    """Print what happens until the job ends, and return its last state. A cut connection is taken up where it was."""
    last_id = "0"
    while True:
        try:
            for event_id, data in read_stream(token, job_id, last_id):
                last_id = event_id
                event = data["event"]
                if event["kind"] == "step.completed":
                    print(
                        f"step     {event['step']} loss {event['loss']:.4f} {event['tokens_per_second']:.0f} tokens/s"
                    )
                elif event["kind"] == "evaluation.completed":
                    print(f"eval     loss {event['loss']:.4f} {event['when']} training")
                elif event["kind"] == "state.changed":
                    print(f"state    {event['to_state']}")
                    if event["to_state"] in FINAL:
                        return str(event["to_state"])
        except (OSError, HTTPException) as error:
            print(f"cut      {error}; trying again", file=sys.stderr)
            time.sleep(1)


def read_stream(token: str, job_id: str, last_id: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Server-Sent Events: `id:` and `data:` lines, a blank line after each event, `:` lines to stay alive."""
    event_id = last_id
    with request(token, "GET", f"/stream?job_id={job_id}", None, {"Last-Event-ID": last_id}) as answer:
        for raw in answer:
            line = raw.decode().rstrip("\n")
            if line.startswith("id:"):
                event_id = line[3:].strip()
            elif line.startswith("data:"):
                yield event_id, json.loads(line[5:])


def call(token: str, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> dict[str, Any]:
    with request(token, method, path, body, headers) as answer:
        return dict(json.load(answer))


def request(token: str, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
    is_raw = isinstance(body, bytes)
    sent = urllib.request.Request(
        API + path,
        data=body if is_raw or body is None else json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/x-ndjson" if is_raw else "application/json",
            **(headers or {}),
        },
        method=method,
    )
    return answered(lambda: urllib.request.urlopen(sent, timeout=60))


def answered(send: Any) -> Any:
    """The answer; or, where the server refuses, its own words and the end of the script."""
    try:
        return send()
    except urllib.error.HTTPError as error:
        problem = json.load(error)
        lines = [f"error: {problem['title']}: {problem['detail']}", *(item["message"] for item in problem["errors"])]
        sys.exit("\n  ".join([*lines, f"hint: {problem['hint']}"]))


if __name__ == "__main__":
    sys.exit(main())
