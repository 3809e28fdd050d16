#!/usr/bin/env bash
# One AKS cluster from apply to Ready, its tree, its figures, and gone again without a trace.
PRACTICE="--empty --speed 1000"
PRACTICE_LIMIT=150
. "${FLIGHTDECK_SOURCE:?}/tests/integration/lib.sh"

sign_in
class_manifest > "$WORK/class.yaml"
cluster_manifest eu > "$WORK/eu.yaml"

condition()
{
	flightdeck get ic eu -o json | python3 -c '
import json, sys
for c in json.load(sys.stdin)["status"]["conditions"]:
    if c["type"] == sys.argv[1]:
        print(c["reason"])' "$1"
}

reason_is()
{
	[ "$(condition "$1")" = "$2" ]
}

# A cluster whose class is missing says so, costs nothing, and goes on when the class comes.
flightdeck apply -f "$WORK/eu.yaml" >/dev/null 2>&1 || fail "apply without the class"
within 10 reason_is ClusterReady WaitingForClasses
equals "resources without a class" 0 "$(inventory_count)"

flightdeck apply -f "$WORK/class.yaml" -f "$WORK/eu.yaml" >"$WORK/out" 2>&1 ||
    fail "apply: $(cat "$WORK/out")"
grep -q 'inferenceclass.*/a100 created' "$WORK/out" || fail "apply said: $(cat "$WORK/out")"
flightdeck apply -f "$WORK/class.yaml" -f "$WORK/eu.yaml" >"$WORK/out" 2>&1 || fail "second apply"
grep -q '/eu unchanged' "$WORK/out" || fail "an equal apply changed something: $(cat "$WORK/out")"

flightdeck wait ic/eu --for=condition=Ready --timeout 60s >/dev/null || fail "never Ready"

flightdeck tree ic/eu > "$WORK/tree"
for part in InferenceCluster/eu AKSCluster/eu managed-cluster/ agent-pool/gpu \
    release/mp-cert-manager release/mp-gateway-helm Gateway/inference-gateway \
    GatewayClass/envoy release/mp-lws StorageClass/modelplane-rwx-fs; do
	grep -q "$part" "$WORK/tree" || fail "the tree lacks $part"
done
grep -Eq '[1-9][0-9]* objects, ([0-9]+) ready' "$WORK/tree" || fail "the tree has no summary"

ready()
{
	flightdeck get "$1" -A -o json |
	    python3 -c '
import json, sys
items = json.load(sys.stdin)
items = items.get("items", [items])
print(sum(1 for o in items for c in o["status"]["conditions"]
    if c["type"] == "Ready" and c["status"] == "True"))'
}
equals "ready provider clusters" 1 "$(ready aksclusters)"
equals "ready stacks" 1 "$(ready servingstacks)"
equals "managed clusters in the cloud" 1 "$(inventory_count managedClusters)"

flightdeck get ic eu -o json | python3 -c '
import json, sys
s = json.load(sys.stdin)["status"]
assert s["namespace"] == "modelplane-system", s
assert s["cache"]["storageClassName"] == "modelplane-rwx-fs", s
assert s["gateway"]["address"], s
assert s["gpuPools"][0]["nodes"] == 2, s
assert s["providerConfigRef"]["name"].startswith("eu-cluster-kubeconfig-"), s
' || fail "the status is not complete"

flightdeck kubeconfig ic/eu > "$WORK/kc" || fail "no kubeconfig"
grep -q 'server: https://' "$WORK/kc" || fail "the kubeconfig names no server"

# Scaling reaches the cloud.
flightdeck scale ic/eu --pool gpu --nodes 2 --min 2 --max 3 >/dev/null || fail "scale"
pool_is()
{
	flightdeck get aksclusters -n modelplane-system eu -o json | python3 -c '
import json, sys
p = json.load(sys.stdin)["spec"]["nodePools"][0]
sys.exit(0 if (p["minNodeCount"], p["maxNodeCount"]) == (2, 3) else 1)'
}
within 20 pool_is
flightdeck wait ic/eu --for=condition=Ready --timeout 30s >/dev/null || fail "not Ready after scaling"

flightdeck delete ic/eu --yes >/dev/null || fail "delete"
equals "resources left in the cloud" 0 "$(inventory_count)"
equals "records left" "" "$(flightdeck get externals -A -o name 2>/dev/null)"
equals "provider clusters left" "" "$(flightdeck get aksclusters -A -o name 2>/dev/null)"
equals "stacks left" "" "$(flightdeck get servingstacks -A -o name 2>/dev/null)"
echo "ok"
