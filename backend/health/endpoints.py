"""Whether work is being done."""

from fastapi import APIRouter, Response

from backend.dependencies import Current, Now
from backend.health import service
from backend.health.schemas import HealthRead

router = APIRouter(prefix="/health", tags=["health"])


@router.get("", responses={503: {"model": HealthRead, "description": "The scheduler or the database stands still."}})
def read_health(runtime: Current, now: Now, response: Response) -> HealthRead:
    """Needs no sign-in."""
    health = service.read(runtime.database, runtime.pulse, now=now)
    if health.status != "ok":
        response.status_code = 503
    return health
