#!/usr/bin/env bash
# What is wrong in a file is said with its place and a remedy, all of it in one go; apply then ends
# with 3 and stores nothing, not even the good objects of the same file. The cases themselves are unit
# tests (unit/model/test_validate.c, test_rules.c); here they meet the real verb and store.
set -u
: "${FLIGHTDECK_BUILD:?is set by ctest}"
PATH="$FLIGHTDECK_BUILD:$PATH"
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
export FLIGHTDECK_STATE_DIR="$WORK/fleet"
count=0

CLASS='apiVersion: modelplane.ai/v1alpha1
kind: InferenceClass
metadata: {name: good}
spec: {devices: [{name: g, driver: d, deviceClassName: x}]}
---'

# refused NAME PATTERN: standard input is the bad part of a file
refused()
{
	local file="$WORK/$1.yaml" said status

	{ echo "$CLASS"; cat; } >"$file"
	said=$(flightdeck apply -f "$file" 2>&1)
	status=$?
	if [ $status -ne 3 ] || ! grep -qE "$1\.yaml:[0-9]+:[0-9]+: $2" <<<"$said"; then
		echo "FAIL $1: exit $status, said: $said"
		exit 1
	fi
	if [ -n "$(flightdeck get icl,ic,aks -o name 2>/dev/null)" ]; then
		echo "FAIL $1: something was stored"
		exit 1
	fi
	count=$((count + 1))
}

IC='apiVersion: modelplane.ai/v1alpha1
kind: InferenceCluster
metadata: {name: c}
spec:'
refused float "spec.cluster.aks.kubernetesVersion: .*1\.30.*quot" <<<"$IC
  cluster: {source: AKS, aks: {location: w, kubernetesVersion: 1.30}}"
refused labels "metadata.labels" <<<"apiVersion: modelplane.ai/v1alpha1
kind: InferenceClass
metadata: {name: l, labels: {gpu: true, rev: 12}}
spec: {devices: [{name: g, driver: d, deviceClassName: x}]}"
refused duplicate ".*(twice|duplicate|again)" <<<"$IC
  cluster: {source: AKS, aks: {location: w}}
  cluster: {source: AKS, aks: {location: w}}"
refused block "spec.cluster" <<<"$IC
  cluster: {source: AKS}"
refused unknown "spec.nodePools\[0\].nodecount: .*nodeCount" <<<"$IC
  cluster: {source: AKS, aks: {location: w}}
  nodePools: [{name: a, className: good, nodecount: 1}]"
refused again ".*good" <<<"$CLASS"
refused version "apiVersion: .*v1beta1" <<<"apiVersion: modelplane.ai/v1beta1
kind: InferenceClass
metadata: {name: v}
spec: {}"
echo "$count bad files refused with their place, nothing stored"
