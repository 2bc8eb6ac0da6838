#!/bin/sh
# Runs a command on a machine that has what it needs: installs what is missing (.ci/setup.sh), and ends the Docker
# daemon that it had to start for it.
#
# Usage: .ci/prepared.sh spec|test COMMAND...
# Exits as the command does. Where the machine cannot be prepared (no root, no network) spec goes on with what is there,
# since the embedded stores need nothing but Go; test exits with 1, since it would show less than it seems to.
set -eu
cd "$(dirname "$0")/.."
part=$1
shift

settings=$(mktemp)
daemon=
finish() {
	rm -f "$settings"
	[ -z "$daemon" ] || kill "$daemon" 2>/dev/null || sudo -n kill "$daemon" || true
}
trap finish EXIT
trap 'exit 130' INT TERM

if ! .ci/setup.sh "$part" "$settings"; then
	[ "$part" = spec ] || exit 1
	echo "setup: going on with what is installed" >&2
fi
while IFS='=' read -r name value; do
	case $name in
	DOCKERD_PID) daemon=$value ;;
	*) export "$name=$value" ;;
	esac
done <"$settings"
if timeout 10 docker version >/dev/null 2>&1; then
	export STORESPEC_TEST_DOCKER=1 # the tests of the container store are not skipped
fi
"$@"
