#!/bin/sh
# Makes the environment in .venv (or in $VENV) with the versions of requirements.lock.
#
#   sh setup.sh        what Keepsake needs to run
#   sh setup.sh dev    what its tests and linters need as well
#
# Where that was done already, nothing happens. $PYTHON names another Python than python3.
set -eu
CDPATH= cd -- "$(dirname -- "$0")"

extra=${1:-}
venv=${VENV:-.venv}
done_file=$venv/installed${extra:+-$extra}

say() { printf '%s\n' "$*" >&2; }
stop() {
    say "keepsake: $*"
    exit 1
}

# What an installation was made from; the folder belongs to it, because it names the code by path.
wanted() { { pwd -P; cat pyproject.toml requirements.lock; } | cksum; }
is_done() { [ -x "$venv/bin/python" ] && [ "$(cat "$done_file" 2>/dev/null)" = "$(wanted)" ]; }

is_new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
find_python() {
    for each in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11; do
        if is_new_enough "$each"; then
            printf '%s\n' "$each"
            return
        fi
        [ -z "${PYTHON:-}" ] || stop "PYTHON=$PYTHON is no Python 3.11 or newer."
    done
    stop "Keepsake needs Python 3.11 or newer, and none was found (python3: $(python3 --version \
2>/dev/null || echo missing)). Install one, or name it: make chat PYTHON=/path/to/python3"
}

make_venv() {
    python=$(find_python) || exit 1
    "$python" -c 'import ensurepip, venv' 2>/dev/null || stop "$python comes without its modules \
venv and ensurepip. On Debian and Ubuntu: apt-get install python3-venv"
    [ ! -d "$venv" ] || [ -z "$(ls -A "$venv")" ] || [ -f "$venv/pyvenv.cfg" ] || stop "$venv is a \
folder with other things in it. Move it away, or name another one: VENV=/path"
    say "Making an environment with $("$python" --version) in $venv …"
    "$python" -m venv --clear "$venv" || stop "The environment could not be made."
}

# Not where its Python was removed, or where making it was interrupted.
is_usable() { "$venv/bin/python" -m pip --version >/dev/null 2>&1; }

is_done && exit 0
is_usable || make_venv
say "Installing what Keepsake needs (once; a minute or two, under 1 GB) …"
rm -f "$done_file"
"$venv/bin/python" -m pip install -qq --disable-pip-version-check --no-input \
    --only-binary :all: --constraint requirements.lock --editable ".${extra:+[$extra]}" >&2 ||
    stop "The installation failed for the reason above. The same command tries again."
wanted >"$done_file"
[ -z "$extra" ] || wanted >"$venv/installed"
say "Done."
