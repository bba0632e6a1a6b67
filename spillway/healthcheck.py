"""Is a server doing its work? For a container engine: exit 0 or 1.

python -m spillway.healthcheck URL
"""

import sys

from spillway.client import SpillwayClient
from spillway.errors import SpillwayError


def main() -> int:
    with SpillwayClient(sys.argv[1], token="", timeout_seconds=4.0) as client:
        try:
            health = client.health()
        except SpillwayError as error:
            sys.stderr.write(f"{error.message}\n")
            return 1
    sys.stdout.write(f"{health.status}, {len(health.boxes)} boxes\n")
    return 0 if health.status == "ok" else 1


if __name__ == "__main__":
    sys.exit(main())
