#!/usr/bin/env bash
# Runs storespec verify with the inputs of action.yml, and ends with its exit status.
#
# Usage: [SYSTEM=NAME] [FEATURES=DIR] [COMMAND=... | URL=...] [ARGS=...] REPORT=DIR GITHUB_OUTPUT=FILE verify.sh
set -uo pipefail

if [ -n "${COMMAND:-}" ] && [ -n "${URL:-}" ]; then
	echo "::error title=storespec::the inputs command and url exclude each other"
	exit 2
fi
read -r -d '' -a words <<<"${ARGS:-}" # words of all lines; read ends with 1 at the end of the text
arguments=(--report "$REPORT" "${words[@]+"${words[@]}"}")
if [ -n "${SYSTEM:-}" ]; then arguments=("$SYSTEM" "${arguments[@]}"); fi
if [ -n "${FEATURES:-}" ]; then arguments+=(--features "$FEATURES"); fi
if [ -n "${URL:-}" ]; then arguments+=(--url "$URL"); fi
if [ -n "${COMMAND:-}" ]; then arguments+=(-- bash -c "$COMMAND"); fi

rm -f "$REPORT/run.ndjson" # of an earlier run, which a rejected run would leave
storespec verify "${arguments[@]}"
status=$?
{
	echo "status=$status"
	echo "report=$REPORT"
} >>"$GITHUB_OUTPUT"
exit "$status"
