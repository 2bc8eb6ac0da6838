#!/bin/sh
# Prepares a bare Debian or Ubuntu machine (as root, or with sudo) for the whole test suite: a C compiler for -race,
# Node, Python with Azure's SDKs, Redis, Java for DynamoDB Local, Docker with a running daemon, curl, busybox for
# .ci/azurite-image.sh, Chromium for the tests of the pages.
# What is there is left as it is.
#
# Usage: .ci/setup.sh [FILE]
# Writes to FILE, or to standard output, lines of the form NAME=value:
#   DOCKERD_PID                    the daemon this script started; the caller ends it with kill.
#                                  Absent when one answered already.
#   TESTCONTAINERS_RYUK_DISABLED   true where the image of testcontainers' reaper is neither there nor
#                                  can be pulled; storespec ends its containers itself in any case.
# Everything else goes to standard error. Exits with 1 when the machine cannot be prepared.
# Environment: DOCKER_SECONDS, how long to wait for the daemon (default 60);
# PULL_SECONDS, how long a pull may take (default 60).
set -eu

ryuk=testcontainers/ryuk:0.14.0 # what testcontainers-go v0.44.0 starts
node_at_least=20

say() { echo "setup: $*" >&2; }
fail() {
	say "$*"
	exit 1
}

sudo=
[ "$(id -u)" = 0 ] || sudo=sudo

# A daemon that hangs is one that does not answer.
docker_answers() { timeout 10 docker version >/dev/null 2>&1; }

settings=$(mktemp)
pid= # of the daemon this script started, until the caller knows it
trap 'rm -f "$settings"; if [ -n "$pid" ]; then $sudo kill "$pid" || true; fi' EXIT
trap 'exit 1' HUP INT TERM

missing=
command -v gcc >/dev/null || missing="$missing gcc libc6-dev"
command -v curl >/dev/null || missing="$missing curl"
command -v busybox >/dev/null || missing="$missing busybox-static"
if ! command -v docker >/dev/null || ! command -v dockerd >/dev/null; then
	# A client alone is enough where a daemon answers, such as on a CI runner with a remote one.
	docker_answers || missing="$missing docker.io"
fi
command -v node >/dev/null || missing="$missing nodejs npm"
/usr/bin/python3 -c 'import azure.data.tables, azure.identity, azure.storage.blob' 2>/dev/null ||
	missing="$missing python3 python3-azure python3-azure-storage"
python3 -c 'import boto3' 2>/dev/null || /usr/bin/python3 -c 'import boto3' 2>/dev/null || missing="$missing python3-boto3"
command -v redis-server >/dev/null || missing="$missing redis-server"
command -v java >/dev/null || missing="$missing openjdk-17-jre-headless" # for DynamoDB Local
browser=
for name in chromium chromium-browser google-chrome chrome; do
	if command -v "$name" >/dev/null; then browser=$name; fi
done
[ -n "$browser" ] || missing="$missing chromium"
if [ -n "$missing" ]; then
	say "installing$missing"
	# shellcheck disable=SC2086 # a list of packages
	{
		$sudo apt-get update -qq &&
			$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing
	} >&2 ||
		fail "apt-get install$missing failed"
fi

node_is=$(node --version | sed 's/^v\([0-9]*\).*/\1/')
[ "$node_is" -ge "$node_at_least" ] ||
	fail "node $node_is is too old: install Node $node_at_least or later (https://nodejs.org)"
command -v npm >/dev/null || fail "npm is missing: install it with Node $node_at_least or later (https://nodejs.org)"

if docker_answers; then
	say "docker answers"
else
	log=$(mktemp /tmp/storespec-dockerd-XXXXXX.log)
	say "starting dockerd, its log is $log"
	# In a session of its own, so that Ctrl-C in the caller's terminal does not end it first.
	setsid $sudo dockerd >"$log" 2>&1 </dev/null &
	pid=$!
	left=${DOCKER_SECONDS:-60}
	until docker_answers; do
		if ! $sudo kill -0 "$pid" 2>/dev/null || [ "$left" -le 0 ]; then
			tail -n 20 "$log" >&2
			fail "dockerd does not answer"
		fi
		left=$((left - 1))
		sleep 1
	done
	echo "DOCKERD_PID=$pid" >>"$settings"
fi

if ! docker image inspect "$ryuk" >/dev/null 2>&1 &&
	! timeout "${PULL_SECONDS:-60}" docker pull --quiet "$ryuk" >/dev/null 2>&1; then
	say "cannot pull $ryuk, doing without"
	echo "TESTCONTAINERS_RYUK_DISABLED=true" >>"$settings"
fi

if [ $# -gt 0 ]; then
	cat "$settings" >"$1"
else
	cat "$settings"
fi
pid=
