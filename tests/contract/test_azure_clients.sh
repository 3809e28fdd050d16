#!/bin/bash
# The official Azure clients see in the simulator what the console made there, and work on it alone.
. "$(dirname "$0")/contract_env.sh"

need_programs flightdeck flightdeck-sim
need_shared manifests/getting-started/aks
need_azure_python
make_work

export CONTRACT_PYTHON=$azure_python CONTRACT_DIR=$contract_dir
export CONTRACT_MANIFESTS=$shared_dir/manifests/getting-started
# The clients live in real time: at this speed a token has to last longer than Azure's hour.
timeout 600 flightdeck practice --empty --speed 1000 --fault token.ttl=36000000 -- bash -c '
	set -e
	flightdeck apply -f "$CONTRACT_MANIFESTS/clusterproviderconfig-azure.yaml" \
		-f "$CONTRACT_MANIFESTS/aks/platform.yaml" -f "$CONTRACT_MANIFESTS/aks/platform-scale.yaml"
	flightdeck wait ic --all --for=condition=Ready --timeout=240s
	"$CONTRACT_PYTHON" "$CONTRACT_DIR/azure_clients.py"
'
