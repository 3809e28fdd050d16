#!/bin/bash
# The official Azure clients for Python work on the simulator, kubectl works on a cluster that they
# made, and every body that they sent is clean by their own models.
set -u
source_dir=${FLIGHTDECK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
build_dir=${FLIGHTDECK_BUILD:-$source_dir/build}
here=$source_dir/tests/contract
simulator=$build_dir/flightdeck-sim
work=$(mktemp -d)
pid=

cleanup() {
	[ -n "$pid" ] && kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
	rm -rf "$work"
}
trap cleanup EXIT

[ -x "$simulator" ] || { echo "skipped: $simulator is not built"; exit 77; }
command -v kubectl >/dev/null || { echo "skipped: no kubectl"; exit 77; }
venv=$("$here/sim_venv.sh") || { echo "skipped: the official packages cannot be had"; exit 77; }

"$venv/bin/python" "$here/sim_body_check.py" --self-test || exit 1
# A long-lived token and no waiting: these clients know real time only.
FLIGHTDECK_SIM_BODIES=1 "$simulator" serve --dir "$work" --speed 300 \
	--fault token.ttl=100000000,arm.retryafter=0 --ready-fd 3 3>"$work/ready" &
pid=$!
for _ in $(seq 100); do
	[ -s "$work/ready" ] && break
	sleep 0.1
done
[ -s "$work/ready" ] || { echo "the simulator does not start"; exit 1; }
timeout 600 "$venv/bin/python" "$here/sim_clients.py" "$work/sim/endpoints.json" || exit 1
if ! "$simulator" inventory --dir "$work" | grep -q '^total: 0$'; then
	echo "left behind:"
	"$simulator" inventory --dir "$work"
	exit 1
fi
timeout 120 "$venv/bin/python" "$here/sim_body_check.py" "$work/sim/bodies.jsonl"
