#!/bin/bash
# Every recorded request of the official Azure clients gets the recorded kind of answer.
set -u
source_dir=${FLIGHTDECK_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
build_dir=${FLIGHTDECK_BUILD:-$source_dir/build}
golden=${FLIGHTDECK_SHARED:-$source_dir/../shared}/facts/azure-golden
simulator=$build_dir/flightdeck-sim

if [ ! -d "$golden" ]; then
	echo "skipped: no recorded requests at $golden"
	exit 77
fi
if [ ! -x "$simulator" ]; then
	echo "skipped: $simulator is not built"
	exit 77
fi
exec timeout 600 python3 "$source_dir/tests/contract/sim_golden.py" "$simulator" "$golden"
