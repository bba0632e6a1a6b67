"""Who is let in, and how."""

import httpx
import pytest

from tests.backend.running import PASSWORD, RunningApi
from tests.services import wait_until

CSRF = {"X-Spillway-CSRF": "1"}
# What is tested here is above the database; the flow tests run on both.
pytestmark = pytest.mark.parametrize("settings", ["sqlite"], indirect=True)


def code_of(answer: httpx.Response) -> str:
    assert answer.headers["content-type"] == "application/problem+json"
    return str(answer.json()["code"])


def test_the_one_time_code_makes_one_admin(api: RunningApi) -> None:
    with api.client() as browser:
        assert browser.get("/setup").json() == {"needs_setup": True}
        body = {"code": "wrong", "username": "ada", "password": PASSWORD}
        refused = browser.post("/setup", json=body)
        assert (refused.status_code, code_of(refused)) == (403, "wrong_setup_code")
        body["code"] = api.setup_code
        short = browser.post("/setup", json=body | {"password": "short"})
        assert (short.status_code, short.json()["errors"][0]["pointer"]) == (422, "/password")
        made = browser.post("/setup", json=body)
        assert (made.status_code, made.json()["role"]) == (201, "admin")
        cookie = made.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert browser.get("/me").json()["username"] == "ada"
        assert browser.get("/setup").json() == {"needs_setup": False}
        again = browser.post("/setup", json=body)
        assert (again.status_code, code_of(again)) == (410, "setup_done")
    assert not (api.data_dir / "setup-code").exists()


def test_a_cookie_changes_nothing_without_the_pages_header(api: RunningApi, admin: httpx.Client) -> None:
    del admin
    with api.client() as browser:
        credentials = {"username": "ada", "password": PASSWORD}
        assert (
            browser.post("/sessions", json=credentials, headers={"Origin": "https://evil.example"}).status_code == 403
        )
        nonsense = browser.post("/sessions", json=credentials, headers={"Origin": "http://[::1"})
        assert (nonsense.status_code, code_of(nonsense)) == (403, "csrf")
        assert browser.post("/sessions", json=credentials).status_code == 201
        assert browser.get("/me").status_code == 200
        bare = browser.post("/tokens", json={"name": "x"})
        assert (bare.status_code, code_of(bare)) == (403, "csrf")
        foreign = browser.post("/tokens", json={"name": "x"}, headers=CSRF | {"Origin": "https://evil.example"})
        assert (foreign.status_code, code_of(foreign)) == (403, "csrf")
        own = browser.post("/tokens", json={"name": "x"}, headers=CSRF | {"Origin": api.url})
        assert own.status_code == 201
        assert browser.delete("/sessions/current", headers=CSRF).status_code == 204
        assert browser.get("/me").status_code == 401


def test_a_session_ends_after_its_time(api: RunningApi, admin: httpx.Client) -> None:
    del admin
    with api.client() as browser:
        assert browser.post("/sessions", json={"username": "ada", "password": PASSWORD}).status_code == 201
        api.clock.advance(13 * 86_400)
        assert browser.get("/me").status_code == 200
        api.clock.advance(2 * 86_400)
        assert browser.get("/me").status_code == 401


def test_guessing_is_slowed_down(api: RunningApi, admin: httpx.Client) -> None:
    del admin
    with api.client() as browser:
        for _ in range(5):
            wrong = browser.post("/sessions", json={"username": "ada", "password": "guess"})
            assert (wrong.status_code, code_of(wrong)) == (401, "wrong_credentials")
        slowed = browser.post("/sessions", json={"username": "ada", "password": PASSWORD})
        assert (slowed.status_code, code_of(slowed)) == (429, "too_many_failures")
        assert 0 < int(slowed.headers["Retry-After"]) <= 900
        assert browser.post("/sessions", json={"username": "bob", "password": "guess"}).status_code == 401
        api.clock.advance(901)
        assert browser.post("/sessions", json={"username": "ada", "password": PASSWORD}).status_code == 201


def test_a_token_is_shown_once_and_dies_when_revoked_or_expired(api: RunningApi, admin: httpx.Client) -> None:
    made = admin.post("/tokens", json={"name": "nightly", "expires_in_days": 1}).json()
    assert made["token"].startswith("spw_")
    assert len(made["token"]) == 4 + 43
    with api.client(made["token"]) as script:
        assert script.get("/jobs").status_code == 200
        listed = {token["name"]: token for token in admin.get("/tokens").json()["items"]}
        assert "token" not in listed["nightly"]
        wait_until(lambda: admin.get("/tokens").json()["items"][0]["last_used_at"], "the use is noted")
        api.clock.advance(86_401)
        expired = script.get("/jobs")
        assert (expired.status_code, code_of(expired)) == (401, "unauthenticated")
    lasting = admin.post("/tokens", json={"name": "lasting"}).json()
    with api.client(lasting["token"]) as script:
        assert script.get("/jobs").status_code == 200
        assert admin.delete(f"/tokens/{lasting['token_id']}").status_code == 204
        assert script.get("/jobs").status_code == 401
    assert admin.delete(f"/tokens/{lasting['token_id']}").status_code == 404


def test_no_secret_lies_in_the_database(api: RunningApi, admin: httpx.Client) -> None:
    token = admin.headers["Authorization"].removeprefix("Bearer ")
    with api.runtime.database.read() as session:
        connection = session.connection().connection.dbapi_connection
        rows = connection.execute("SELECT token_hash FROM api_tokens").fetchall()
        passwords = connection.execute("SELECT password_hash FROM users").fetchall()
    assert token not in str(rows)
    assert all(hashed.startswith("$argon2id$") for (hashed,) in passwords)


def test_a_wrong_token_is_told_so(api: RunningApi) -> None:
    for token in ("spw_wrong", "nonsense", "\N{SNOWMAN}".encode().decode("latin-1")):
        with api.client() as client:
            answer = client.get("/jobs", headers={"Authorization": f"Bearer {token}".encode("latin-1")})
        assert (answer.status_code, code_of(answer)) == (401, "unauthenticated")
        assert answer.json()["hint"]


def test_each_kind_of_token_opens_its_own_doors_only(api: RunningApi, admin: httpx.Client) -> None:
    with api.client(api.box_token) as box:
        assert code_of(box.get("/jobs")) == "forbidden"
    internal = httpx.post(f"{api.url}/internal/v1/claims", json={}, headers=dict(admin.headers), trust_env=False)
    assert code_of(internal) == "forbidden"
