"""`python -m app`."""

import signal

from app.cli.commands import cli

# Until the loop runs nothing has begun that would have to be tidied up, so that Ctrl-C during the
# imports below ends the process like any other. A program started with SIGINT ignored keeps that.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

if __name__ == "__main__":
    cli(prog_name="python -m app")
