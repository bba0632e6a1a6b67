#!/bin/sh
# npm in frontend/, with the Node of .venv where the bootstrap had to put one there.
set -eu
root="$(cd "$(dirname "$0")/.." && pwd)"
if [ -x "$root/.venv/bin/npm" ]; then
    PATH="$root/.venv/bin:$PATH"
    export PATH
fi
cd "$root/frontend"
exec npm "$@"
