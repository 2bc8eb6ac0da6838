#!/bin/sh
# Makes sure that the Azurite image of the container store is there: does nothing when Docker has it,
# pulls it where the registry can be reached, and else builds it from npm with the versions that
# fixtures/azurite pins. The build needs node, npm, ldd and a static busybox on this machine, since
# the image is made of them; no base image is pulled.
#
# Usage: .ci/azurite-image.sh
# Environment: PULL_SECONDS, how long a pull may take (default 60).
set -eu

version=3.35.0
image=mcr.microsoft.com/azure-storage/azurite:$version
fixtures=$(cd "$(dirname "$0")/../fixtures/azurite" && pwd)

say() { echo "azurite-image: $*" >&2; }

grep -q "\"azurite\": \"$version\"" "$fixtures/package.json" || {
	say "fixtures/azurite/package.json does not pin azurite $version"
	exit 1
}
if docker image inspect "$image" >/dev/null 2>&1; then
	say "$image is there"
	exit 0
fi
if timeout "${PULL_SECONDS:-60}" docker pull --quiet "$image" >/dev/null 2>&1; then
	say "pulled $image"
	exit 0
fi

say "cannot pull $image, building it from npm"
for tool in node npm ldd busybox; do
	command -v "$tool" >/dev/null || {
		say "$tool is missing: run .ci/setup.sh"
		exit 1
	}
done

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$root" # it becomes the image's /
mkdir -p "$root/usr/local/bin" "$root/bin" "$root/etc" "$root/app" "$root/data" "$root/tmp"
chmod 1777 "$root/tmp"

# Node and the libraries it is linked to, at the paths at which it looks for them.
node=$(readlink -f "$(command -v node)")
cp "$node" "$root/usr/local/bin/node"
ldd "$node" | grep -o '/[^ ]*' | while read -r library; do
	mkdir -p "$root$(dirname "$library")"
	cp -L "$library" "$root$library"
done

# A shell, and what testcontainers' own port check runs in a container.
busybox=$(readlink -f "$(command -v busybox)")
if ldd "$busybox" >/dev/null 2>&1; then
	say "$busybox is not static: install busybox-static"
	exit 1
fi
cp "$busybox" "$root/bin/busybox"
for applet in sh cat awk grep ls nc ps; do
	ln -s busybox "$root/bin/$applet"
done

echo 'root:x:0:0:root:/data:/bin/sh' >"$root/etc/passwd"
echo '127.0.0.1 localhost' >"$root/etc/hosts"

cp "$fixtures/package.json" "$fixtures/package-lock.json" "$root/app/"
(cd "$root/app" && npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error >&2)
cat >"$root/usr/local/bin/azurite" <<'EOF'
#!/bin/sh
exec /usr/local/bin/node /app/node_modules/azurite/dist/src/azurite.js "$@"
EOF
chmod 755 "$root/usr/local/bin/azurite"

tar -C "$root" -c . | docker import \
	-c 'ENV PATH=/usr/local/bin:/bin' \
	-c 'WORKDIR /data' \
	-c 'EXPOSE 10000 10001 10002' \
	-c 'CMD ["azurite","-l","/data","--blobHost","0.0.0.0","--queueHost","0.0.0.0","--tableHost","0.0.0.0"]' \
	-m "azurite $version from npm, built by .ci/azurite-image.sh" \
	- "$image" >/dev/null
say "built $image"
