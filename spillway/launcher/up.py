"""`spillway up`: broker, API and agent on loopback, and optionally a task that uses them."""

import os
import sys
import webbrowser
from dataclasses import dataclass
from pathlib import Path

from spillway.client import SpillwayClient
from spillway.errors import INTERRUPTED, SpillwayError
from spillway.launcher.broker import BrokerPlan, answers_ping, plan_broker
from spillway.launcher.child import Child
from spillway.launcher.child_plans import agent_plan, api_plan, redis_plan
from spillway.launcher.instance import AlreadyRunningError, InstanceLock, end_leftovers, write_server_record
from spillway.launcher.log_view import LogView
from spillway.launcher.port import choose_port
from spillway.launcher.process_identity import start_ticks
from spillway.launcher.stop_requests import StopRequestedError, StopRequests
from spillway.launcher.supervisor import Supervisor
from spillway.launcher.task_thread import Running, Task, TaskThread
from spillway.locations import DataDir, ServerRecord, default_data_dir

_REDIS_READY_SECONDS = 15.0
_API_READY_SECONDS = 60.0
_AGENT_READY_SECONDS = 60.0


@dataclass(frozen=True, kw_only=True, slots=True)
class UpOptions:
    data_dir: Path
    port: int | None = None
    nvme_paths: tuple[Path, ...] = ()
    verbose: bool = False
    headless: bool = False
    """Open no browser."""
    keep_running: bool = True
    """After the task, serve on until Ctrl-C."""


def run_up(options: UpOptions, task: Task | None = None) -> int:
    """Serve until Ctrl-C, or until the task ends where it is not to keep running. Returns the exit status.

    Raises SpillwayError when the data folder is in use or a process does not come up.
    """
    data_dir = DataDir(options.data_dir)
    view = LogView(verbose=options.verbose)
    with InstanceLock(data_dir), StopRequests() as stops:
        for folder in (data_dir.root, data_dir.api, data_dir.worker, data_dir.logs, data_dir.models):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for child in end_leftovers(data_dir):
            view.say(f"{child.name} (pid {child.pid}) of a killed start was still there; it has ended", style="yellow")
        server = _Server(data_dir, Supervisor(view, stops), view)
        try:
            running = server.start(options)
            if not options.headless:
                _open_browser(server.setup_link or running.url)
            return server.serve(running, stops, task, keep_running=options.keep_running)
        except StopRequestedError:
            return INTERRUPTED if task else 0
        finally:
            server.stop()


class _Server:
    def __init__(self, data_dir: DataDir, supervisor: Supervisor, view: LogView) -> None:
        self._data_dir = data_dir
        self._supervisor = supervisor
        self._view = view
        self._recorded: ServerRecord | None = None
        self.setup_link = ""

    def start(self, options: UpOptions) -> Running:
        """Start what is needed, each once the one before is ready."""
        port = choose_port(options.port)
        url = f"http://127.0.0.1:{port}"
        self._view.say(f"starting at {url}, data in {self._data_dir.root}")
        broker = plan_broker(self._data_dir.broker, os.environ)
        self._view.say(f"broker: {broker.description}")
        self._start_redis(broker, url)
        api = self._start_child(Child(api_plan(broker, self._data_dir, port)), url)
        # Its own word first: another program may have taken the port, and would answer in its place.
        self._supervisor.wait_until_ready(
            api, lambda: api.log.says(f"listening on {url}\n") and _is_answering(url), seconds=_API_READY_SECONDS
        )

        token = self._data_dir.cli_token_file.read_text(encoding="utf-8").strip()
        agent = self._start_child(Child(agent_plan(broker, self._data_dir, url, options.nvme_paths)), url)
        with SpillwayClient(url, token) as client:
            self._supervisor.wait_until_ready(agent, lambda: _is_box_seen(client), seconds=_AGENT_READY_SECONDS)
        self._view.say(f"ready: {url}", style="bold green")
        if self._data_dir.root != default_data_dir():
            self._view.say(f"for commands in other terminals: export SPILLWAY_DATA_DIR={self._data_dir.root}")
        self.setup_link = _setup_link(self._data_dir, url)
        if self.setup_link:
            self._view.say(f"first start: make the admin at {self.setup_link}", style="bold")
        return Running(url=url, token=token, data_dir=self._data_dir, view=self._view)

    def serve(self, running: Running, stops: StopRequests, task: Task | None, *, keep_running: bool) -> int:
        """Until a stop is requested or the task has ended. Returns the exit status."""
        thread = TaskThread(task, running) if task else None
        if thread:
            thread.start()
        status = INTERRUPTED if task else 0
        while not stops.count:
            self._supervisor.tick()
            self._record(running.url)
            if thread and not thread.is_alive():
                status = thread.result()
                if not keep_running:
                    break
                self._view.say(f"still serving at {running.url}; Ctrl-C ends it", style="bold")
                thread = None
        return status

    def stop(self) -> None:
        if self._supervisor.children:
            self._view.say("stopping; runs end at their next step and are queued again (Ctrl-C again: at once)")
            self._supervisor.stop_all()
            self._view.say("stopped")

    def _start_redis(self, broker: BrokerPlan, url: str) -> None:
        plan, socket_path = redis_plan(broker, self._data_dir), broker.socket_path
        if plan is None or socket_path is None:
            return
        redis = self._start_child(Child(plan), url)
        self._supervisor.wait_until_ready(redis, lambda: answers_ping(socket_path), seconds=_REDIS_READY_SECONDS)

    def _start_child(self, child: Child, url: str) -> Child:
        self._supervisor.start(child)
        # At once: a launcher that is killed from here on leaves a record of what it started.
        self._record(url)
        return child

    def _record(self, url: str) -> None:
        children = [known for child in self._supervisor.children if (known := child.record()) is not None]
        record = ServerRecord(url=url, pid=os.getpid(), start_ticks=start_ticks(os.getpid()), children=children)
        if record != self._recorded:
            write_server_record(self._data_dir, record)
            self._recorded = record


def _is_answering(url: str) -> bool:
    with SpillwayClient(url, token="", timeout_seconds=2.0) as client:
        try:
            client.health()
        except SpillwayError:
            return False
        return True


def _is_box_seen(client: SpillwayClient) -> bool:
    try:
        return any(box.seen_age_seconds < 10 for box in client.health().boxes)
    except SpillwayError:
        return False


def _setup_link(data_dir: DataDir, url: str) -> str:
    """The one-time link that makes the admin; empty once there is one."""
    try:
        code = (data_dir.api / "setup-code").read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return ""
    return f"{url}/setup#code={code}"


def _open_browser(url: str) -> None:
    # Without a display the standard library would start a text browser inside this very terminal.
    if sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(url)


def join_running(options: UpOptions, error: AlreadyRunningError) -> Running:
    """The server that holds the data folder. Raises `error` when it does not answer."""
    data_dir = DataDir(options.data_dir)
    if error.record is None or not _is_answering(error.record.url):
        raise error
    view = LogView(verbose=options.verbose)
    view.say(f"using the Spillway that already runs at {error.record.url}")
    token = data_dir.cli_token_file.read_text(encoding="utf-8").strip()
    return Running(url=error.record.url, token=token, data_dir=data_dir, view=view)
