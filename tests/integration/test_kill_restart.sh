#!/usr/bin/env bash
# The owner is killed at ten moments of a creation and once more of the deletion; each time another
# one goes on. In the end there is one of each, and after the deletion nothing.
PRACTICE="--empty --speed 200 --no-backend"
PRACTICE_LIMIT=280
. "${FLIGHTDECK_SOURCE:?}/tests/integration/lib.sh"

owner=

owner_start()
{
	flightdeck run >>"$WORK/run.out" 2>&1 &
	owner=$!
	within 20 flightdeck get ic
}

owner_kill()
{
	kill -9 "$owner" 2>/dev/null
	wait "$owner" 2>/dev/null
}

trap 'owner_kill' EXIT

one_of_each()
{
	equals "resource groups, with the one of the nodes" 2 "$(inventory_count resourceGroups)"
	equals "networks" 1 "$(inventory_count virtualNetworks)"
	equals "managed clusters" 1 "$(inventory_count managedClusters)"
}

owner_start
sign_in
class_manifest > "$WORK/class.yaml"
cluster_manifest eu > "$WORK/eu.yaml"
flightdeck apply -f "$WORK/class.yaml" -f "$WORK/eu.yaml" >/dev/null 2>&1 || fail "apply"

# From the first instant on to what is the installation of the stack at this speed.
for pause in 0 0.05 0.1 0.2 0.3 0.5 0.7 0.9 1.2 1.5; do
	sleep "$pause"
	owner_kill
	owner_start
done
flightdeck wait ic/eu --for=condition=Ready --timeout 90s >/dev/null || fail "never Ready"
one_of_each
runs=$(flightdeck get externals -A -o json | python3 -c '
import json, sys
items = json.load(sys.stdin)["items"]
bad = [o["spec"]["key"] for o in items if o["spec"]["phase"] != "Ready"]
names = [(o["spec"]["ownerUid"], o["spec"]["key"]) for o in items]
print(",".join(bad) if bad else len(names) - len(set(names)))')
equals "records that are not ready, or twice there" 0 "$runs"

flightdeck delete ic/eu --yes --wait=false >/dev/null 2>&1 ||
    flightdeck delete ic/eu --yes --no-wait >/dev/null 2>&1 ||
    timeout 2 flightdeck delete ic/eu --yes >/dev/null 2>&1
for pause in 0.1 0.4 0.8; do
	sleep "$pause"
	owner_kill
	owner_start
done
gone()
{
	[ -z "$(flightdeck get ic -o name 2>/dev/null)" ]
}
within 60 gone
equals "resources left in the cloud" 0 "$(inventory_count)"
equals "records left" "" "$(flightdeck get externals -A -o name 2>/dev/null)"
echo "ok"
