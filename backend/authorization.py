"""Who asks, what for, and the one function that says whether they may."""

from dataclasses import dataclass
from enum import StrEnum

from backend.errors import ForbiddenError


class Role(StrEnum):
    VIEWER = "viewer"
    MEMBER = "member"
    MAINTAINER = "maintainer"
    ADMIN = "admin"
    BOX = "box"
    """The agent of a box: the internal endpoints and nothing else."""


class Action(StrEnum):
    READ = "read"
    """Look at anything in the project."""
    CONTRIBUTE = "contribute"
    """Upload data, register models, submit jobs, cancel jobs."""
    MANAGE_OWN_ACCESS = "manage_own_access"
    """One's own sessions and tokens."""
    RUN_ATTEMPTS = "run_attempts"
    """Claim attempts and report on them."""


_READS = frozenset({Action.READ, Action.MANAGE_OWN_ACCESS})
_CONTRIBUTES = _READS | {Action.CONTRIBUTE}
_MAY: dict[Role, frozenset[Action]] = {
    Role.VIEWER: _READS,
    Role.MEMBER: _CONTRIBUTES,
    Role.MAINTAINER: _CONTRIBUTES,
    Role.ADMIN: _CONTRIBUTES,
    Role.BOX: frozenset({Action.RUN_ATTEMPTS}),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Principal:
    """The person, script or box behind a request."""

    actor_id: str
    name: str
    role: Role
    project_id: str
    user_id: str | None = None


def authorize(principal: Principal, action: Action, project_id: str) -> None:
    """Raise ForbiddenError unless the principal may do this in the project. Every endpoint passes through here."""
    if principal.project_id != project_id or action not in _MAY[principal.role]:
        raise ForbiddenError(action=action, role=principal.role)
