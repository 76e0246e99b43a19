"""Where the `mistigris` command begins; `--version` answers without loading anything else."""

import sys


def main() -> None:
    """Runs the command line and exits with its code."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from importlib.metadata import version

        print(f"mistigris {version('mistigris')}")
        return
    try:
        from cli.app import run
        from cli.streams import prepare

        prepare()
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # before `run` could take it
        print("mistigris: stopped; what was not yet recorded is not recorded", file=sys.stderr)
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
