#!/usr/bin/env bash
# A disk without room for a whole set takes nothing of it, says so, and what is there can be read.
set -u
: "${FLIGHTDECK_BUILD:?is set by ctest}"
PATH="$FLIGHTDECK_BUILD:$PATH"
WORK=$(mktemp -d)
trap 'umount "$WORK/disk" 2>/dev/null; rm -rf "$WORK"' EXIT

mkdir "$WORK/disk"
if ! mount -t tmpfs -o size=900k,mode=700 tmpfs "$WORK/disk" 2>/dev/null; then
	echo "skipped: a small disk cannot be mounted here"
	exit 77
fi
export FLIGHTDECK_STATE_DIR="$WORK/disk/fleet"
for i in $(seq 1 200); do
	printf 'apiVersion: modelplane.ai/v1alpha1\nkind: InferenceClass\nmetadata: {name: c%d}\n' "$i"
	printf 'spec: {devices: [{name: g, driver: d, deviceClassName: x}]}\n---\n'
done >"$WORK/many.yaml"
head -n 5 "$WORK/many.yaml" >"$WORK/one.yaml"

flightdeck apply -f "$WORK/one.yaml" >/dev/null || exit 1
said=$(flightdeck apply -f "$WORK/many.yaml" 2>&1)
status=$?
stored=$(flightdeck get icl -o name | wc -l)
if [ $status -ne 1 ] || [ "$stored" -ne 1 ] || ! grep -q 'nothing was stored' <<<"$said"; then
	echo "FAIL: exit $status, $stored stored, said: $said"
	exit 1
fi
echo ok
