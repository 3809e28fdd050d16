#!/bin/bash
# Every recorded request of the official Azure clients gets an answer of the recorded kind.
. "$(dirname "$0")/contract_env.sh"

need_programs flightdeck-sim
need_shared facts/azure-golden
command -v openssl >/dev/null || skip "no openssl"
make_work

timeout 600 python3 "$contract_dir/golden.py" "$build_dir/flightdeck-sim" \
	"$shared_dir/facts/azure-golden" "$work" "$contract_dir/golden-differences.txt"
