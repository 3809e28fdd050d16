# What the integration tests share: the programs, a practice profile of their own, waiting for
# conditions. Source it first; the script then runs again inside `flightdeck practice`.
#
#   PRACTICE="--empty --speed 1000"   options of practice
#   PRACTICE_LIMIT=300                seconds for the whole script

set -u

: "${FLIGHTDECK_BUILD:?is set by ctest}"
: "${FLIGHTDECK_SOURCE:?is set by ctest}"
PATH="$FLIGHTDECK_BUILD:$PATH"

for program in flightdeck flightdeck-sim; do
	if [ ! -x "$FLIGHTDECK_BUILD/$program" ]; then
		echo "skipped: $program is not built"
		exit 77
	fi
done
if ! command -v python3 >/dev/null; then
	echo "skipped: python3 is not installed"
	exit 77
fi

if [ -z "${IN_PRACTICE-}" ]; then
	unset FLIGHTDECK_STATE_DIR FLIGHTDECK_PROFILE
	# Every write of a store is synced: what these tests wait for is not the disk.
	if [ -w /dev/shm ]; then
		export TMPDIR=/dev/shm
	fi
	# shellcheck disable=SC2086
	IN_PRACTICE=1 exec timeout -k 5 "${PRACTICE_LIMIT:-300}" flightdeck practice \
	    ${PRACTICE:---empty --speed 1000} -- bash "$0"
fi

WORK=$FLIGHTDECK_STATE_DIR

fail()
{
	echo "FAIL: $*" >&2
	if [ -f "$WORK/flightdeck.log" ]; then
		tail -20 "$WORK/flightdeck.log" >&2
	fi
	exit 1
}

# within SECONDS COMMAND...: until the command succeeds
within()
{
	local end=$((SECONDS + $1))

	shift
	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || fail "not within its time: $*"
		sleep 0.1
	done
}

equals()
{
	[ "$2" = "$3" ] || fail "$1: '$3' instead of '$2'"
}

# The simulator's credential, stored as an operator would.
sign_in()
{
	flightdeck sim endpoints |
	    python3 -c 'import json,sys; print(json.load(sys.stdin)["azureCredentialsJson"])' |
	    flightdeck login azure -f - >/dev/null || fail "cannot log in"
}

# How many resources the simulated cloud holds; of one list when it is named.
inventory_count()
{
	flightdeck sim inventory -o json |
	    python3 -c '
import json, sys
lists = json.load(sys.stdin)
names = sys.argv[1:] or list(lists)
print(sum(len(lists[n]) for n in names if isinstance(lists.get(n), list)))' "$@"
}

# Requests to the cloud's resource manager, not to the clusters in it: all, or those that act.
cloud_count()
{
	flightdeck sim requests "$@" -o json |
	    python3 -c '
import json, sys
print(sum(1 for r in json.load(sys.stdin) if r["service"] == "arm"))'
}

acting_count()
{
	cloud_count --acting
}

request_count()
{
	cloud_count
}

class_manifest()
{
	cat <<'YAML'
apiVersion: modelplane.ai/v1alpha1
kind: InferenceClass
metadata:
  name: a100
spec:
  provisioning:
    provider: AKS
    aks:
      vmSize: Standard_NC24ads_A100_v4
      diskSizeGb: 200
      accelerator:
        type: nvidia-a100
        count: 1
  devices:
  - name: gpu
    driver: gpu.nvidia.com
    deviceClassName: gpu.nvidia.com
    count: 1
    capacity:
      memory:
        value: 81920Mi
YAML
}

# cluster_manifest NAME
cluster_manifest()
{
	cat <<YAML
apiVersion: modelplane.ai/v1alpha1
kind: InferenceCluster
metadata:
  name: $1
spec:
  cluster:
    source: AKS
    aks:
      location: westeurope
      kubernetesVersion: "1.35"
  nodePools:
  - name: gpu
    className: a100
    nodeCount: 1
    minNodeCount: 1
    maxNodeCount: 2
YAML
}
