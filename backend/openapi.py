"""The OpenAPI document: the same bytes for the same code, written to a file that CI keeps current."""

import json
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from contracts.problem import Problem

DESCRIPTION = """
Fine-tune models larger than your GPU, on the box your team already shares.

Sign in with a browser session (cookie, and the header `X-Spillway-CSRF: 1` on everything that changes something) or
send `Authorization: Bearer spw_...`. Times are UTC with `Z`, sizes are bytes, ids are opaque. Every error is
`application/problem+json` with a stable `code`, the numbers in `detail` and the next step in `hint`.
"""
PROBLEM_RESPONSES: dict[int | str, dict[str, Any]] = {
    "default": {
        "description": "What went wrong, where, and the next step.",
        "content": {
            "application/problem+json": {
                "schema": {"$ref": "#/components/schemas/Problem"},
                "example": {
                    "type": "about:blank",
                    "title": "The job names something that is not there",
                    "status": 422,
                    "code": "unknown_model",
                    "detail": "There is no model 'smollm'.",
                    "hint": "Registered: smollm2-135m-instruct.",
                    "request_id": "5f0c9a7be1d24c33",
                    "errors": [
                        {
                            "pointer": "/model",
                            "code": "unknown_model",
                            "message": "There is no model 'smollm'.",
                            "hint": "Registered: smollm2-135m-instruct.",
                        }
                    ],
                },
            }
        },
    }
}


def build_openapi(app: FastAPI) -> dict[str, Any]:
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title, version=app.version, description=DESCRIPTION.strip(), routes=app.routes, tags=TAGS
        )
        _, problem = models_json_schema([(Problem, "serialization")], ref_template="#/components/schemas/{model}")
        schemas = document["components"]["schemas"] | problem["$defs"]
        document["components"]["schemas"] = dict(sorted(schemas.items()))
        document["components"]["securitySchemes"] = {
            "token": {"type": "http", "scheme": "bearer", "description": "An API token, `spw_...`."},
            "session": {"type": "apiKey", "in": "cookie", "name": "spillway_session"},
        }
        document["security"] = [{"token": []}, {"session": []}]
        app.openapi_schema = document
    return app.openapi_schema


def openapi_text(app: FastAPI) -> str:
    return json.dumps(build_openapi(app), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


TAGS = [
    {"name": "people", "description": "Set-up, sign-in, API tokens."},
    {"name": "models", "description": "Which models jobs may name."},
    {"name": "datasets", "description": "Instruction rows, checked line by line, kept by content."},
    {"name": "jobs", "description": "Submit, follow, cancel."},
    {"name": "events", "description": "What happened, in one order; paged or live."},
    {"name": "metrics", "description": "Series for charts."},
    {"name": "logs", "description": "Output of the training process."},
    {"name": "spans", "description": "Lanes of single steps: who worked, who waited."},
    {"name": "artifacts", "description": "The files a job left behind."},
    {"name": "boxes", "description": "The machines jobs run on."},
    {"name": "health", "description": "Whether work is being done."},
    {"name": "internal", "description": "Between the agent of a box and the service; box token only."},
]
