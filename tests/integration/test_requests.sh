#!/usr/bin/env bash
# Budgets of requests: a creation sends at most six that act; a hundred steady clusters are watched
# with a handful of shared lists a round, whatever their number.
# At a greater speed a hundred clusters are looked at more often than two cores can.
FAMILIES=quota.cores=100000,quota.standardDSv5Family=100000,quota.StandardNCADSA100v4Family=100000
PRACTICE="--empty --speed 120 --fault $FAMILIES"
PRACTICE_LIMIT=880
. "${FLIGHTDECK_SOURCE:?}/tests/integration/lib.sh"

CLUSTERS=${CLUSTERS:-100}
STEADY_S=120 # of the profile's clock: how often a steady cluster is looked at

sign_in
class_manifest > "$WORK/class.yaml"
cluster_manifest c0 > "$WORK/c0.yaml"
flightdeck apply -f "$WORK/class.yaml" -f "$WORK/c0.yaml" >/dev/null 2>&1 || fail "apply"
flightdeck wait ic/c0 --for=condition=Ready --timeout 60s >/dev/null || fail "c0 is not Ready"
acting=$(acting_count)
[ "$acting" -le 6 ] || fail "$acting acting requests for one cluster"

for i in $(seq 1 $((CLUSTERS - 1))); do
	cluster_manifest "c$i"
	echo ---
done > "$WORK/all.yaml"
flightdeck apply -f "$WORK/all.yaml" >/dev/null 2>&1 || fail "apply of all"
flightdeck wait ic --all --for=condition=Ready --timeout 720s >/dev/null || fail "not all Ready"
acting=$(acting_count)
[ "$acting" -le $((CLUSTERS * 6)) ] || fail "$acting acting requests for $CLUSTERS clusters"

# What is still settling after Ready may ask a little more: the budget is for rounds after it.
sleep 3
before=$(request_count)
start=$(date +%s%N)
sleep 12
after=$(request_count)
seconds=$((($(date +%s%N) - start) / 1000000 * 120 / 1000))
rounds=$((seconds / STEADY_S))
echo "$((after - before)) requests in $rounds rounds over $CLUSTERS clusters"
[ $(((after - before))) -le $((rounds * 5 + 5)) ] || fail "too many requests when nothing changes"
equals "acting requests when nothing changes" "$acting" "$(acting_count)"
echo "ok"
