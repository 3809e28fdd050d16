#!/bin/bash
# Runs inside practice, called by test_arm_models.sh: the life of three clusters, then the checks.
set -eu

# $1: an expression over `i`, the simulator's inventory; it must become true within a minute.
inventory_becomes()
{
	local until=$((SECONDS + 60))
	until flightdeck sim inventory -o json | "$CONTRACT_PYTHON" -c '
import json, sys
i = json.load(sys.stdin)
sys.exit(0 if eval(sys.argv[1]) else 1)' "$1"; do
		[ $SECONDS -lt $until ] || { echo "after a minute not yet: $1"; exit 1; }
		sleep 0.2
	done
}

ready()
{
	flightdeck wait ic --all --for=condition=Ready --timeout=240s
}

# $1: an expression over `pools`, giving the node pools that aks-eastus shall have.
pools()
{
	flightdeck get ic/aks-eastus -o json | "$CONTRACT_PYTHON" -c '
import json, sys
o = json.load(sys.stdin)
pools = o["spec"]["nodePools"]
o["spec"]["nodePools"] = eval(sys.argv[1])
o["metadata"] = {k: o["metadata"][k] for k in ("name", "labels") if k in o["metadata"]}
o.pop("status", None)
json.dump(o, sys.stdout)' "$1" | flightdeck apply -f -
}

flightdeck apply -f "$CONTRACT_MANIFESTS/clusterproviderconfig-azure.yaml" \
	-f "$CONTRACT_MANIFESTS/aks/platform.yaml" -f "$CONTRACT_MANIFESTS/aks/platform-scale.yaml"
ready
flightdeck scale ic/aks-eastus --pool gpua100 --nodes 2 --min 2 --max 3
inventory_becomes 'any(p["count"] == 2 and "aks-eastus" in p["id"] for p in i["agentPools"])'
flightdeck upgrade ic/aks-westeurope --version 1.35
inventory_becomes 'any(c["version"].startswith("1.35.") and "westeurope" in c["name"] for c in i["managedClusters"])'
inventory_becomes 'all(x["state"] == "Succeeded" for x in i["managedClusters"] + i["agentPools"])'
ready
pools 'pools + [{**pools[0], "name": "gpub"}]'
inventory_becomes 'any(p["name"] == "gpub" and p["state"] == "Succeeded" for p in i["agentPools"])'
pools 'pools[:1]'
inventory_becomes 'not any(p["name"] == "gpub" for p in i["agentPools"])'
flightdeck delete ic/aks-eastus ic/aks-southcentralus ic/aks-westeurope --yes --wait --timeout 120s
inventory_becomes 'not any(i[k] for k in ("resourceGroups", "virtualNetworks", "managedClusters", "agentPools", "roleAssignments"))'

cd "$CONTRACT_DIR"
echo "against the newest packages:"
"$CONTRACT_PYTHON" arm_models.py "$FLIGHTDECK_STATE_DIR/sim" "$CONTRACT_GOLDEN"
echo "against the models of AKS 2025-10-01:"
PYTHONPATH=$CONTRACT_MODELS "$CONTRACT_PYTHON" arm_models.py "$FLIGHTDECK_STATE_DIR/sim" "$CONTRACT_GOLDEN"
