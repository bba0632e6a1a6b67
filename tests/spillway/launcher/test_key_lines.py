import pytest

from spillway.launcher.key_lines import key_line, plain_line

TIME = "2026-11-29T19:44:01.712635Z"


@pytest.mark.parametrize(
    ("name", "line", "shown"),
    [
        ("worker", f"{TIME} [info     ] claimed attempt_id=att_1 number=1", "claimed attempt_id=att_1 number=1"),
        ("worker", f"{TIME} [info     ] the Celery child listens for wake-ups pid=1", None),
        ("api", f"{TIME} [info     ] request                        method=GET path=/api/v1/jobs status=200", None),
        ("api", f"{TIME} [error    ] request.failed                 path=/x", "error: request.failed  path=/x"),
        ("worker", f"{TIME} [warning  ] the API does not answer error=x", "warning: the API does not answer error=x"),
        ("redis", "1234:M 29 Nov 2026 19:44:01.712 # WARNING Memory overcommit must be enabled!", None),
        ("api", "", None),
    ],
)
def test_troubles_and_what_happens_to_runs_are_shown(name: str, line: str, shown: str | None) -> None:
    assert key_line(name, line) == shown


def test_when_verbose_the_time_is_left_out_and_nothing_else() -> None:
    assert plain_line(f"{TIME} [info     ] request  status=200") == "info: request  status=200"
    assert plain_line("listening on http://127.0.0.1:8321") == "listening on http://127.0.0.1:8321"
