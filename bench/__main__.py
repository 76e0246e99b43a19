"""`python -m bench [SUBJECT ...]`: the machine, then every subject's figures, each with its ratio and aim."""

import pathlib
import pkgutil
import platform
import subprocess
import sys

import bench


def main() -> int:
    """Runs the subjects named, or all. Exit code 2 for a name that is none."""
    subjects = sorted(m.name for m in pkgutil.iter_modules(bench.__path__) if _measures(m.name))
    chosen = sys.argv[1:] or subjects
    unknown = [name for name in chosen if name not in subjects]
    if unknown:
        print(f"no such subject: {', '.join(unknown)}; there are {', '.join(subjects)}", file=sys.stderr)
        return 2
    machine = f"{platform.system()} {platform.machine()}"
    print(f"{_processor()}, Python {platform.python_version()}, {machine}", flush=True)
    failed = 0
    for name in chosen:
        # in a process of its own: what one subject leaves in memory slows the next, its baseline and all
        done = subprocess.run([sys.executable, "-m", "bench._measuring", name], check=False)
        failed |= int(done.returncode != 0)
    return failed


def _measures(name: str) -> bool:
    """Whether a module is a subject, and not what subjects and tests share."""
    return not name.startswith("_") and name not in ("__main__", "generator")


def _processor() -> str:
    for line in _cpuinfo().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"


def _cpuinfo() -> str:
    path = pathlib.Path("/proc/cpuinfo")
    return path.read_text() if path.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
