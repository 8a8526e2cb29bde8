"""The command `freehold`."""

import signal
import sys

from . import _freehold


def main():
    # As in other programs: Ctrl-C ends this one, and so does writing to a pipe without readers.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    again = [sys.executable, "-m", "freehold"]
    sys.exit(_freehold.run_process(["freehold", *sys.argv[1:]], again))


if __name__ == "__main__":
    main()
