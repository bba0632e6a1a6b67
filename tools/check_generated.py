"""Is docs/openapi.json what the code says? `--write` makes it so."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OPENAPI = ROOT / "docs" / "openapi.json"


def main() -> int:
    said = subprocess.run(
        [sys.executable, "-m", "backend", "openapi"], check=True, capture_output=True, cwd=ROOT
    ).stdout
    if "--write" in sys.argv[1:]:
        OPENAPI.write_bytes(said)
        return 0
    if OPENAPI.read_bytes() == said:
        return 0
    print("docs/openapi.json is not what the code says; `python tools/check_generated.py --write`", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
