#!/bin/sh
# Make the virtual environment hold what a lock file says: environment.sh VENV LOCK KIND STAMP
# An environment that was left half made is made anew.
set -eu
venv=$1 lock=$2 kind=$3 stamp=$4
half_made=$venv/half-made

if [ -z "${PYTHON:-}" ]; then
    echo "Fleet Twin needs Python 3.11 or newer and found none on PATH (python3 is: $(python3 --version 2>&1 || true))." >&2
    echo "Install it, or name it: make PYTHON=/path/to/python3.11" >&2
    exit 1
fi
if ! "$PYTHON" -c 'import ensurepip, venv' 2>/dev/null; then
    echo "$PYTHON cannot make virtual environments; on Debian and Ubuntu install python3-venv." >&2
    exit 1
fi
if [ -e "$half_made" ] || ! ls "$venv"/complete-* >/dev/null 2>&1 || ! "$venv/bin/python" -c '' 2>/dev/null; then
    echo "Making a virtual environment in $venv with $("$PYTHON" --version)"
    rm -rf "$venv"
    "$PYTHON" -m venv "$venv"
fi
touch "$half_made"
rm -f "$venv/complete-$kind"-*
echo "Installing $(grep -c '==' "$lock") packages from $lock"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --requirement "$lock"
touch "$stamp"
rm "$half_made"
