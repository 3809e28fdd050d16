#!/usr/bin/env bash
# A fault is never a silent stall: the cluster's own conditions say what is wrong deep below it, in
# the words of who refused, and what goes with it afterwards leaves nothing.
PRACTICE="--empty --speed 1000 --fault noaddress=1,chart.image.lws=1"
PRACTICE_LIMIT=150
. "${FLIGHTDECK_SOURCE:?}/tests/integration/lib.sh"

sign_in
class_manifest > "$WORK/class.yaml"
cluster_manifest eu > "$WORK/eu.yaml"
flightdeck apply -f "$WORK/class.yaml" -f "$WORK/eu.yaml" >/dev/null 2>&1 || fail "apply"

says()
{
	flightdeck describe ic/eu | grep -q "$1"
}

tree_says()
{
	flightdeck tree ic/eu | grep -q "$1"
}

within 60 says 'BackendReady .*ImagePullBackOff\|BackendReady .*no public IP address'
within 60 says 'no public IP address is available'
within 30 says 'Synced  *False .*Stuck'
flightdeck events | grep -q 'Stuck .*ServingStack/' || fail "the stack's fault is no event"
if flightdeck wait ic/eu --timeout 1s > "$WORK/out" 2>&1; then
	fail "ready without an address"
fi
within 30 tree_says 'mp-lws .*ImagePullBackOff'
flightdeck delete ic/eu --yes --timeout 60s >/dev/null 2>&1 || fail "delete"
equals "resources left in the cloud" 0 "$(inventory_count)"
echo "ok"
