#!/bin/sh
# Find a Python 3.11 to 3.13 that can make a virtual environment, and let tools/bootstrap.py do the rest.
# PYTHON names one to use.
set -eu
cd "$(dirname "$0")/.."

is_usable='import sys
sys.exit(0 if (3, 11) <= sys.version_info[:2] <= (3, 13) else 1)'
seen=""
without_venv=""

for candidate in ${PYTHON:-python3 python3.12 python3.11 python3.13 python}; do
    command -v "$candidate" >/dev/null 2>&1 || continue
    seen="$seen $candidate"
    "$candidate" -c "$is_usable" >/dev/null 2>&1 || continue
    if ! "$candidate" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        without_venv="$candidate"
        continue
    fi
    exec "$candidate" tools/bootstrap.py "$@"
done

if [ -n "$without_venv" ]; then
    echo "error: $without_venv has no venv module." >&2
    echo "  hint: on Debian and Ubuntu it is the package python3-venv (apt install python3-venv)." >&2
else
    echo "error: Spillway needs Python 3.11, 3.12 or 3.13; looked at:${seen:- nothing, there is no python3 on PATH}." >&2
    echo "  hint: install one, or name it: make PYTHON=/path/to/python3.12 TARGET" >&2
fi
exit 1
