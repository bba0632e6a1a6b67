"""What of the agent's environment a training process gets to see: an allow-list, no secrets."""

from collections.abc import Mapping

from worker.process_tree import ATTEMPT_VARIABLE

_NAMES = frozenset({
    "PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ", "TMPDIR", "XDG_CACHE_HOME", "LD_LIBRARY_PATH",
    "CUDA_VISIBLE_DEVICES", "HF_HOME", "HF_ENDPOINT", "HF_HUB_OFFLINE", "OMP_NUM_THREADS",
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
})  # fmt: skip
_PREFIXES = ("LC_", "PYTHON", "NVIDIA_", "NUMBA_", "SSL_CERT_")


def scrubbed_environment(environment: Mapping[str, str], attempt_id: str) -> dict[str, str]:
    """The environment of shim and training process."""
    kept = {name: value for name, value in environment.items() if name in _NAMES or name.startswith(_PREFIXES)}
    # Unbuffered: the log of a killed process is complete. Fault handler: a crash in native code leaves a traceback.
    return kept | {"PYTHONUNBUFFERED": "1", "PYTHONFAULTHANDLER": "1", ATTEMPT_VARIABLE: attempt_id}
