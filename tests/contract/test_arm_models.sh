#!/bin/bash
# Every request that the console sends to resource manager while it makes, changes and removes
# clusters fits the official packages: paths, versions, names, bodies.
. "$(dirname "$0")/contract_env.sh"

need_programs flightdeck flightdeck-sim
need_shared manifests/getting-started/aks
need_shared facts/azure-golden
need_azure_python
make_work

export FLIGHTDECK_SIM_BODIES=1
export CONTRACT_PYTHON=$azure_python CONTRACT_MODELS=$azure_models CONTRACT_DIR=$contract_dir
export CONTRACT_MANIFESTS=$shared_dir/manifests/getting-started
export CONTRACT_GOLDEN=$shared_dir/facts/azure-golden
timeout 800 flightdeck practice --empty --speed 1000 -- bash "$contract_dir/arm_models_run.sh"
