"""python -m worker.training ATTEMPT_DIR: run the attempt that the folder orders. Exit codes: see `process`."""

import sys
import time
from pathlib import Path

from worker.training.process import run_attempt

if __name__ == "__main__":
    sys.exit(run_attempt(Path(sys.argv[1]), started_at=time.time()))
