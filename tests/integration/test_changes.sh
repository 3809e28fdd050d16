#!/usr/bin/env bash
# What an operator changes, and what others change behind his back: versions go up one step after
# the other and never down, pools come and go, what cannot change is said and destroys nothing, a
# pool deleted by hand comes back, and what is still needed is not deleted.
PRACTICE="--empty --speed 1000"
PRACTICE_LIMIT=250
. "${FLIGHTDECK_SOURCE:?}/tests/integration/lib.sh"

sign_in
class_manifest > "$WORK/class.yaml"
cluster_manifest eu | sed 's/1\.35/1.34/' > "$WORK/eu.yaml"

# cloud EXPRESSION: over the simulator's inventory `i`
cloud()
{
	flightdeck sim inventory -o json | python3 -c '
import json, sys
i = json.load(sys.stdin)
print(eval(sys.argv[1]))' "$1"
}

cloud_is()
{
	[ "$(cloud "$2")" = "$1" ]
}

versions='[c["version"].rsplit(".", 1)[0] for c in i["managedClusters"]]'
pools='sorted((p["name"], p["vmSize"]) for p in i["agentPools"] if p["name"] != "system")'

synced_says()
{
	flightdeck describe ic/eu | grep ' Synced ' | grep -q "$1"
}

refused()
{
	local want=$1 rc

	shift
	"$@" > "$WORK/out" 2>&1
	rc=$?
	equals "exit code of '$*' ($(cat "$WORK/out"))" "$want" "$rc"
}

flightdeck apply -f "$WORK/class.yaml" -f "$WORK/eu.yaml" >/dev/null 2>&1 || fail "apply"
flightdeck wait ic/eu --timeout 60s >/dev/null || fail "never Ready"

flightdeck upgrade ic/eu --version 1.36 >/dev/null 2>&1 || fail "upgrade"
within 40 cloud_is "['1.36']" "$versions"
flightdeck wait ic/eu --timeout 30s >/dev/null || fail "not Ready after the upgrade"
refused 7 flightdeck upgrade ic/eu --version 1.35
grep -q 'cannot go back' "$WORK/out" || fail "a way back was refused with: $(cat "$WORK/out")"

sed -i 's/1\.34/1.36/' "$WORK/eu.yaml"
{
	cat "$WORK/eu.yaml"
	printf '  - name: more\n    className: a100\n    nodeCount: 1\n    minNodeCount: 1\n'
} > "$WORK/two.yaml"
size=Standard_NC24ads_A100_v4
flightdeck apply -f "$WORK/two.yaml" >/dev/null 2>&1 || fail "a second pool"
within 30 cloud_is "[('gpu', '$size'), ('more', '$size')]" "$pools"
flightdeck apply -f "$WORK/eu.yaml" >/dev/null 2>&1 || fail "one pool again"
within 30 cloud_is "[('gpu', '$size')]" "$pools"

# Another machine cannot be had in place: said, and nothing is destroyed.
sed 's/NC24ads/NC48ads/' "$WORK/class.yaml" > "$WORK/other.yaml"
flightdeck apply -f "$WORK/other.yaml" >/dev/null 2>&1 || fail "another machine"
within 20 synced_says "vmSize (cannot change) $size"
equals "pools with a changed class" "[('gpu', '$size')]" "$(cloud "$pools")"
flightdeck delete icl/a100 --yes >/dev/null 2>&1 || fail "delete of the class"
sleep 1
equals "pools without their class" "[('gpu', '$size')]" "$(cloud "$pools")"
flightdeck apply -f "$WORK/class.yaml" >/dev/null 2>&1 || fail "the class again"
flightdeck wait ic/eu --timeout 30s >/dev/null || fail "not Ready with its class again"

# By hand, behind our back.
flightdeck sim endpoints > "$WORK/endpoints"
python3 - "$WORK/endpoints" "$(cloud '[p["id"] for p in i["agentPools"] if p["name"] == "gpu"][0]')" <<'PY' ||
import json, ssl, sys, urllib.parse, urllib.request
e = json.load(open(sys.argv[1]))
tls = ssl.create_default_context(cafile=e["caFile"])
form = urllib.parse.urlencode({"client_id": e["clientId"], "client_secret": e["clientSecret"],
    "grant_type": "client_credentials", "scope": "https://management.azure.com/.default"})
url = e["authority"] + "/" + e["tenantId"] + "/oauth2/v2.0/token"
token = json.load(urllib.request.urlopen(url, form.encode(), context=tls))["access_token"]
gone = urllib.request.Request(e["arm"] + sys.argv[2] + "?api-version=2025-05-01", method="DELETE",
    headers={"Authorization": "Bearer " + token})
urllib.request.urlopen(gone, context=tls)
PY
    fail "the pool cannot be deleted by hand"
within 10 cloud_is "[]" "$pools"
within 40 cloud_is "[('gpu', '$size')]" "$pools"
flightdeck wait ic/eu --timeout 30s >/dev/null || fail "not Ready with its pool again"

# A credential that clusters need stays; one that is lost is said.
refused 7 flightdeck delete clusterproviderconfig/default --yes
grep -q "used by 1 cluster: eu" "$WORK/out" || fail "the config was kept with: $(cat "$WORK/out")"
flightdeck delete secret/azure-credentials-default -n modelplane-system --yes >/dev/null 2>&1
within 20 synced_says "flightdeck login azure"
equals "pools without a credential" "[('gpu', '$size')]" "$(cloud "$pools")"
sign_in

# What is deleted together goes in order, whatever the order in the file.
{
	flightdeck get clusterproviderconfig/default -o yaml
	echo ---
	cat "$WORK/eu.yaml"
} > "$WORK/both.yaml"
flightdeck delete -f "$WORK/both.yaml" --yes --timeout 60s >"$WORK/out" 2>&1 ||
    fail "delete -f: $(cat "$WORK/out")"
equals "resources left in the cloud" 0 "$(inventory_count)"
equals "configs left" "" "$(flightdeck get clusterproviderconfig -o name 2>/dev/null)"
echo "ok"
