#!/usr/bin/env bash
# Downloads a release of storespec, checks its sum and puts it on the PATH of the workflow's next steps.
#
# Usage: VERSION=v1.2.3 RUNNER_OS=Linux RUNNER_ARCH=X64 RUNNER_TEMP=DIR GITHUB_PATH=FILE install.sh
# RELEASES is the address of releases, if not GitHub's.
set -euo pipefail

fail() { # MESSAGE
	echo "::error title=storespec::$1"
	exit 2
}

case ${VERSION:-} in
v[0-9]*.[0-9]*.[0-9]*) ;;
*) fail "the version \"${VERSION:-}\" is not like v1.2.3: use the action by a tag, or set its input version" ;;
esac
case $RUNNER_OS in
Linux) system=linux kind=tar.gz ;;
macOS) system=darwin kind=tar.gz ;;
Windows) system=windows kind=zip ;;
*) fail "there is no release for $RUNNER_OS" ;;
esac
case $RUNNER_ARCH in
X64) machine=amd64 ;;
ARM64) machine=arm64 ;;
*) fail "there is no release for $RUNNER_ARCH" ;;
esac

releases=${RELEASES:-https://github.com/storespec/storespec/releases/download}
folder=storespec_${VERSION}_${system}_$machine
cd "$RUNNER_TEMP"
for file in "$folder.$kind" SHA256SUMS; do
	curl --silent --show-error --fail --location --retry 3 --output "$file" "$releases/$VERSION/$file" ||
		fail "$releases/$VERSION/$file could not be downloaded"
done
grep -F "  $folder.$kind" SHA256SUMS >storespec.sum || fail "SHA256SUMS of $VERSION does not name $folder.$kind"
sum="sha256sum"
command -v sha256sum >/dev/null || sum="shasum -a 256" # macOS
$sum --check storespec.sum >/dev/null || fail "the sum of $folder.$kind is not that of SHA256SUMS"
if [ "$kind" = zip ]; then unzip -q -o "$folder.zip"; else tar -xzf "$folder.tar.gz"; fi
echo "$RUNNER_TEMP/$folder" >>"$GITHUB_PATH"
