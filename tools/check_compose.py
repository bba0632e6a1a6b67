"""Is docker-compose.yml what the Compose Specification allows, and what we promise of it?

The schema (tests/compose/compose-spec.json) is a copy: nothing is fetched.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

import jsonschema
import yaml

ROOT = Path(__file__).resolve().parent.parent
# Compose reads `${NAME:-default}` before anything else; the schema is for what comes out.
_VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")


def load_compose(environment: dict[str, str]) -> dict[str, Any]:
    """The file with its variables filled in as Compose would. Raises ValueError for a required one that is missing."""

    def fill(found: re.Match[str]) -> str:
        name, kind, text = found.groups()
        if name in environment:
            return environment[name]
        if kind == "-":
            return str(text)
        raise ValueError(f"{name} is required: {text}")

    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.safe_load(_VARIABLE.sub(fill, text))
    return loaded


def problems(compose: dict[str, Any]) -> list[str]:
    """Every way in which the file is not what it should be."""
    schema = json.loads((ROOT / "tests" / "compose" / "compose-spec.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft201909Validator(schema)
    found = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(compose)]
    services = compose["services"]
    for name, service in services.items():
        if name != "proxy" and "ports" in service:
            found.append(f"services.{name} publishes ports; only the proxy may")
        found += [
            f"services.{name} depends on {other}, which is no service"
            for other in service.get("depends_on", {})
            if other not in services
        ]
        found += [
            f"services.{name} waits for {other} to be healthy, which has no healthcheck"
            for other, how in service.get("depends_on", {}).items()
            if how["condition"] == "service_healthy" and "healthcheck" not in services.get(other, {})
        ]
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            if not source.startswith((".", "/")) and source not in compose["volumes"]:
                found.append(f"services.{name} mounts {source}, which is no volume")
        found += [
            f"services.{name} names {secret}, which is no secret"
            for secret in service.get("secrets", [])
            if secret not in compose["secrets"]
        ]
    return found


def main() -> int:
    found = problems(load_compose({"SPILLWAY_DATABASE_PASSWORD": "from-the-check"}))
    for text in found:
        print(f"docker-compose.yml: {text}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
