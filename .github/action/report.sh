#!/usr/bin/env bash
# Publishes the results of storespec verify: annotations, a table in the job's summary, a page and JUnit's XML. Whatever
# fails here, the status of the job is that of verify.
#
# Usage: REPORT=DIR [GITHUB_STEP_SUMMARY=FILE] report.sh
set -uo pipefail

stream=$REPORT/run.ndjson
[ -e "$stream" ] || exit 0 # the previous step reported why
if grep -q '^{"storespec":{"begin":.*"shard":{"index":' "$stream"; then
	echo "::notice title=storespec::$stream is one of several shards: storespec report covers all of them together"
	exit 0
fi
storespec report "$stream" --github --html "$REPORT/report.html" --junit "$REPORT/junit.xml" ||
	echo "::warning title=storespec::no reports could be made of $stream"
