#!/bin/bash
# Prints the folder of a virtual environment with the official Azure packages, made once in the
# cache; exit 1 when they cannot be had.
set -u
cache=${XDG_CACHE_HOME:-$HOME/.cache}/flightdeck-tests
venv=$cache/azure
packages="azure-identity azure-mgmt-containerservice==41.8.0 azure-mgmt-network==33.1.0
	azure-mgmt-resource==26.0.0 azure-mgmt-authorization azure-mgmt-compute"

has_all() {
	"$venv/bin/python" -c 'import azure.identity, azure.mgmt.containerservice
import azure.mgmt.network, azure.mgmt.resource.resources
import azure.mgmt.authorization, azure.mgmt.compute' 2>/dev/null
}

if ! has_all; then
	mkdir -p "$cache" && python3 -m venv "$venv" >&2 || exit 1
	# shellcheck disable=SC2086
	timeout 800 "$venv/bin/pip" install -q $packages >&2 || exit 1
	has_all || exit 1
fi
echo "$venv"
