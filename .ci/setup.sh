#!/bin/sh
# Prepares a bare Debian or Ubuntu machine, as root or with sudo. For the tests: a C compiler for -race, Node, Python
# with Azure's SDKs, Redis, Java for DynamoDB Local, curl, Chromium for the tests of the pages, the packages of the
# alternative servers, and what the rules need.
# For the rules: Docker with a running daemon, and Azurite's image with what .ci/azurite-image.sh makes it of. What is
# installed already is left as it is.
#
# Usage: .ci/setup.sh spec|test [FILE]
# Writes to FILE, or to standard output, lines of the form NAME=value:
#   DOCKERD_PID                    the daemon this script started; the caller ends it with kill.
#                                  Absent when one answered already.
#   TESTCONTAINERS_RYUK_DISABLED   true where the image of testcontainers' reaper is missing and cannot be pulled;
#                                  storespec ends its containers itself in any case.
# Everything else goes to standard error. Exits with 1 when the machine cannot be prepared, and says what to run as root.
# Environment: DOCKER_SECONDS, how long to wait for the daemon (default 60);
# PULL_SECONDS, how long a pull may take (default 60).
set -eu

ryuk=testcontainers/ryuk:0.14.0 # what testcontainers-go v0.44.0 starts
node_at_least=20
node_version=20.20.2

say() { echo "setup: $*" >&2; }
fail() {
	say "$*"
	exit 1
}

case ${1:-} in
spec | test) part=$1 ;;
*) fail "usage: .ci/setup.sh spec|test [FILE]" ;;
esac

sudo=
if [ "$(id -u)" != 0 ]; then
	sudo=sudo
	# Without a terminal, sudo fails instead of waiting for a password.
	[ -t 0 ] || sudo="sudo -n"
fi
as_root() { fail "$1; run as root: make setup"; }

# A daemon that hangs is one that does not answer.
docker_answers() { timeout 10 docker version >/dev/null 2>&1; }

settings=$(mktemp)
pid= # of the daemon this script started, until the caller knows it
trap 'rm -f "$settings"; if [ -n "$pid" ]; then $sudo kill "$pid" || true; fi' EXIT
trap 'exit 1' HUP INT TERM

missing=
need() { # COMMAND PACKAGE...
	command -v "$1" >/dev/null && return
	shift
	missing="$missing $*"
}
python_has() { python3 -c "import $1" 2>/dev/null || /usr/bin/python3 -c "import $1" 2>/dev/null; }

need busybox busybox-static
need node nodejs npm
# A client alone is enough where a daemon answers, such as on a CI runner with a remote one.
docker_answers || { need docker docker.io && need dockerd docker.io; }
if [ "$part" = test ]; then
	need gcc gcc libc6-dev
	need curl curl
	need redis-server redis-server
	need java openjdk-17-jre-headless # for DynamoDB Local
	/usr/bin/python3 -c 'import azure.data.tables, azure.identity, azure.storage.blob' 2>/dev/null ||
		missing="$missing python3 python3-azure python3-azure-storage"
	python_has boto3 || missing="$missing python3-boto3"
	browser=
	for name in chromium chromium-browser google-chrome chrome; do
		if command -v "$name" >/dev/null; then browser=$name; fi
	done
	[ -n "$browser" ] || missing="$missing chromium"
fi
if [ -n "$missing" ]; then
	command -v apt-get >/dev/null || fail "no apt-get here; install by hand:$missing"
	say "installing$missing"
	log=$(mktemp /tmp/storespec-apt-XXXXXX.log)
	# shellcheck disable=SC2086 # a list of packages
	if $sudo apt-get update -qq >"$log" 2>&1 &&
		$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >>"$log" 2>&1; then
		rm "$log"
	else
		tail -n 20 "$log" >&2
		as_root "installing$missing failed, see $log"
	fi
fi

node_is() { node --version | sed 's/^v\([0-9]*\).*/\1/'; }
if [ "$(node_is)" -lt "$node_at_least" ]; then # Debian 12 and Ubuntu 24.04 have 18
	case $(uname -m) in
	x86_64) machine=x64 ;;
	aarch64) machine=arm64 ;;
	*) fail "node $(node_is) is too old: install Node $node_at_least or later (https://nodejs.org)" ;;
	esac
	say "node $(node_is) is too old: installing $node_version from npm, as /usr/local/bin/node"
	package=node-linux-$machine
	$sudo npm install --loglevel=error --ignore-scripts --prefix /usr/local/lib/storespec-node "$package@$node_version" >&2 &&
		$sudo ln -sf "/usr/local/lib/storespec-node/node_modules/$package/bin/node" /usr/local/bin/node ||
		as_root "installing Node $node_version failed"
	hash -r
	[ "$(node_is)" -ge "$node_at_least" ] || fail "another node precedes /usr/local/bin/node in PATH"
fi
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
			as_root "dockerd does not answer"
		fi
		left=$((left - 1))
		sleep 1
	done
	echo "DOCKERD_PID=$pid" >>"$settings"
fi

if [ "${TESTCONTAINERS_RYUK_DISABLED:-}" != true ] && ! docker image inspect "$ryuk" >/dev/null 2>&1 &&
	! timeout "${PULL_SECONDS:-60}" docker pull --quiet "$ryuk" >/dev/null 2>&1; then
	say "cannot pull $ryuk, doing without"
	echo "TESTCONTAINERS_RYUK_DISABLED=true" >>"$settings"
fi

"$(dirname "$0")/azurite-image.sh"
if [ "$part" = test ]; then # what the alternative servers import
	for server in node-familyscheduler workerd-c4lendar node-calendsync; do
		at=$(dirname "$0")/../fixtures/alternatives/$server
		if [ ! "$at/node_modules/.package-lock.json" -nt "$at/package-lock.json" ]; then
			say "installing the packages of $server"
			npm ci --loglevel=error --prefix "$at" --omit=dev --ignore-scripts >&2 ||
				fail "npm could not install the packages of $server"
		fi
	done
fi

if [ $# -gt 1 ]; then
	cat "$settings" >"$2"
else
	cat "$settings"
fi
pid=
