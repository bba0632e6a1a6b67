"""The application: routers, errors, the page; and what runs beside the requests while it lives."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI, Response

from backend.artifacts.endpoints import router as artifacts
from backend.attempts.endpoints import router as internal
from backend.boxes.endpoints import router as boxes
from backend.datasets.endpoints import router as datasets
from backend.dependencies import Reader
from backend.events.endpoints import router as events
from backend.health.endpoints import router as health
from backend.jobs.endpoints import router as jobs
from backend.logs.endpoints import router as logs
from backend.metrics.endpoints import router as metrics
from backend.middleware import BodyLimitMiddleware, RequestContextMiddleware
from backend.models.endpoints import router as models
from backend.openapi import PROBLEM_RESPONSES, openapi_text
from backend.page import STATIC_FOLDER, Page
from backend.people.endpoints import router as people
from backend.problems import install_problem_handlers
from backend.runtime import Runtime
from backend.spans.endpoints import router as spans
from backend.version import VERSION
from contracts.wire import API_PREFIX, INTERNAL_PREFIX

_DOMAINS = (people, models, datasets, jobs, events, metrics, logs, spans, artifacts, boxes, health)


def create_app(runtime: Runtime | None) -> FastAPI:
    """The ASGI application. Its lifespan starts the runtime's loops and stops them; without one it only describes."""
    app = FastAPI(
        title="Spillway",
        version=VERSION,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        generate_unique_id_function=lambda route: route.name,
        lifespan=_lifespan,
    )
    app.state.runtime = runtime
    api = APIRouter(prefix=API_PREFIX, responses=PROBLEM_RESPONSES)
    for router in _DOMAINS:
        api.include_router(router)

    @api.get("/openapi.json", include_in_schema=False)
    def read_openapi(principal: Reader) -> Response:  # noqa: ARG001
        return Response(openapi_text(app), media_type="application/json")

    app.include_router(api)
    app.include_router(internal, prefix=INTERNAL_PREFIX, responses=PROBLEM_RESPONSES)
    app.router.default = Page(STATIC_FOLDER)
    install_problem_handlers(app)
    app.add_middleware(BodyLimitMiddleware)
    app.add_middleware(RequestContextMiddleware)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    runtime: Runtime = app.state.runtime
    await runtime.start()
    try:
        yield
    finally:
        await runtime.stop()
