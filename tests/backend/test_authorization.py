"""Every route passes through the one function that says who may do what."""

from collections.abc import Iterator

from fastapi.dependencies.models import Dependant
from fastapi.routing import iter_route_contexts

from backend.app import create_app
from backend.authorization import Action, Principal, Role, authorize
from backend.dependencies import Allowed
from backend.errors import ForbiddenError

OPEN = {
    ("GET", "/api/v1/health"),
    ("GET", "/api/v1/setup"),
    ("POST", "/api/v1/setup"),
    ("POST", "/api/v1/sessions"),
}
WRITES = {"POST", "PUT", "PATCH", "DELETE"}


def routes() -> Iterator[tuple[str, str, Dependant]]:
    for route in iter_route_contexts(create_app(None).routes):
        for method in route.methods or ():
            yield method, route.path, route.dependant


def actions(dependant: Dependant) -> set[Action]:
    own = {dependant.call.action} if isinstance(dependant.call, Allowed) else set()
    return own.union(*(actions(inner) for inner in dependant.dependencies))


def test_every_route_is_authorized() -> None:
    found = {(method, path): actions(dependant) for method, path, dependant in routes()}
    assert len(found) > 40, "the walk sees the routes"
    assert {route for route, needed in found.items() if not needed} == OPEN
    for (method, path), needed in found.items():
        if (method, path) in OPEN:
            continue
        if path.startswith("/internal/"):
            assert needed == {Action.RUN_ATTEMPTS}, path
        elif method in WRITES:
            assert needed <= {Action.CONTRIBUTE, Action.MANAGE_OWN_ACCESS}, path
        else:
            assert needed <= {Action.READ, Action.MANAGE_OWN_ACCESS}, path


def test_a_request_is_let_in_before_anything_else_of_it_is_looked_at() -> None:
    for method, path, dependant in routes():
        if (method, path) in OPEN:
            continue
        calls = [inner.call for inner in dependant.dependencies]
        guard = next((place for place, inner in enumerate(dependant.dependencies) if actions(inner)), None)
        assert guard == 0, f"{method} {path}: {calls}"


def test_roles_may_what_they_should() -> None:
    def may(role: Role, action: Action, project_id: str = "prj_default") -> bool:
        principal = Principal(actor_id="x", name="x", role=role, project_id="prj_default")
        try:
            authorize(principal, action, project_id)
        except ForbiddenError:
            return False
        return True

    assert may(Role.VIEWER, Action.READ)
    assert not may(Role.VIEWER, Action.CONTRIBUTE)
    assert may(Role.MEMBER, Action.CONTRIBUTE)
    assert not any(may(Role.ADMIN, action, "prj_other") for action in Action)
    assert [action for action in Action if may(Role.BOX, action)] == [Action.RUN_ATTEMPTS]
    assert not may(Role.ADMIN, Action.RUN_ATTEMPTS)


def test_operations_are_named_after_their_functions() -> None:
    names = [route.endpoint.__name__ for route in iter_route_contexts(create_app(None).routes) if route.endpoint]
    assert len(names) == len(set(names)), "names of generated client functions come from these"
