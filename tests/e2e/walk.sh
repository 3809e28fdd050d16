# The walk: every pane, a cluster made by keys alone, scaled, and deleted by its name.
# walk COLSxROWS
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

panes_walk() {
	local p
	for p in "1 Clusters" "2 Pools" "3 GPUs" "4 Caches" "5 Events" "6 Classes"; do
		keys "${p%% *}"
		sees "(\[RW\]|\]) +${p#* }"
	done
	keys 1
}

create() {
	local before=$keys_sent
	keys n
	sees "step 1 of 6"
	screen wizard-source
	keys Enter
	sees "step 2 of 6"
	sees "ClusterProviderConfig/default"
	sees "enter to choose"
	keys Tab Enter
	sees "Choose: Location"
	types "westeu"
	keys Enter
	sees "Kubernetes 1\.[0-9]+"
	screen wizard-where
	keys C-n
	sees "step 3 of 6"
	keys Enter
	sees "Choose: Class"
	types "NV36ads"
	keys Enter
	sees "nothing wrong in this step"
	sees "gpua10"
	screen wizard-pools
	keys C-n
	sees "step 4 of 6"
	keys C-n
	sees "step 5 of 6"
	keys C-n
	sees "step 6 of 6"
	keys Enter
	sees "Review: create cluster aks-westeurope" 30
	sees "it would be accepted" 30
	screen review-create
	types "apply"
	keys Enter
	sees "Tree of aks-westeurope" 30
	echo "keys to create a cluster: $((keys_sent - before)) (and $names_typed letters of names)"
	[ $((keys_sent - before)) -lt 60 ] || fail "that is more than 60 keys"
}

become_ready() {
	keys 1
	sees "aks-westeurope .*ok Ready" 240
	screen clusters
	keys x
	sees "Tree of aks-westeurope"
	screen tree
	keys q 3
	sees "GPUs by type"
	sees "A10 .* 1 of 1"
	screen gpus-1
}

scale_up() {
	keys 2
	sees "aks-westeurope +gpua10"
	screen pools
	keys s
	sees "scale aks-westeurope"
	keys + Tab + Tab +
	sees "ok: enter shows the review"
	screen scale-form
	keys Enter
	sees "Review: scale aks-westeurope"
	sees "it would be accepted" 30
	types "apply"
	keys Enter
	gone "Review: scale" 30
	sees "gpua10 .* 2/2" 240
	keys 3
	sees "A10 .* 2 of 2" 240
	screen gpus-2
}

look_around() {
	keys 1 d
	sees "Describe of aks-westeurope"
	sees "API Version"
	keys q y
	sees "YAML of aks-westeurope"
	sees "kind: InferenceCluster"
	keys q X
	sees "Why of aks-westeurope"
	screen why
	keys q '?'
	sees "Help: Clusters"
	screen help
	keys q R
	sees "READ-ONLY"
	keys D
	sees "locked"
	keys R
	sees "\[RW\]"
	keys :
	types "midnight"
	keys Enter
	sees "theme: midnight"
}

delete_it() {
	keys 1 D
	sees "Review: delete cluster aks-westeurope"
	keys Enter
	sees "has to be typed first"
	types "aks-westeurope"
	keys Enter
	gone "Review: delete" 30
	sees "Deleting|No cluster yet" 60
	sees "No cluster yet" 300
	screen deleted
}

walk() {
	export FLIGHTDECK_STATE_DIR=$work/profile
	mkdir -m 700 "$FLIGHTDECK_STATE_DIR"
	start "$1" "$flightdeck practice --empty --speed 600"
	sees "PRACTICE" 60
	sees "No cluster yet" 60
	practice_config
	screen empty
	panes_walk
	create
	become_ready
	scale_up
	look_around
	delete_it
	keys q
	sees "ended 0" 20
	echo "keys in all: $keys_sent"
}
