# Shared by the walks: a console in a private tmux, keys sent and counted, screens compared with kept
# ones. Everything lives in a folder of its own and goes away at the end.
#
#   start COLSxROWS COMMAND...   keys KEY...       press named keys (tmux names), counted
#   types TEXT                   sees REGEX [s]    wait until the screen shows it
#   gone REGEX [s]               screen NAME       compare with screens/NAME-COLSxROWS.txt
#
# FLIGHTDECK_UPDATE=1 writes the kept screens anew: read the difference before committing it.

set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${FLIGHTDECK_BUILD:-$here/../../build}
flightdeck=$build/flightdeck
work=$(mktemp -d "${TMPDIR:-/tmp}/flightdeck-e2e-XXXXXX")
socket=$work/tmux
keys_sent=0
names_typed=0
size=

command -v tmux >/dev/null || { echo "tmux is not installed: skipped"; exit 77; }
[ -x "$flightdeck" ] || { echo "$flightdeck is not built: skipped"; exit 77; }
[ -x "$build/flightdeck-sim" ] || { echo "$build/flightdeck-sim is not built: skipped"; exit 77; }

export XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config LC_ALL=C.UTF-8
unset NO_COLOR FLIGHTDECK_PROFILE FLIGHTDECK_STATE_DIR SSH_TTY
cd "$here/../.." && mkdir -p "$XDG_STATE_HOME" "$XDG_CONFIG_HOME" # themes are looked for in ./themes too

t() { tmux -S "$socket" -f /dev/null "$@"; }

cleanup() {
	local status=$?
	t kill-server 2>/dev/null
	# the console gives its simulator a moment to end before the folder goes
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ -n "$(ls "$work"/pids 2>/dev/null)" ] || break
		sleep 0.1
	done
	rm -rf "$work"
	exit $status
}
trap cleanup EXIT

fail() {
	echo "FAILED: $*"
	echo "---- screen ----"
	t capture-pane -p 2>/dev/null
	exit 1
}

start() {
	size=$1
	shift
	t new-session -d -x "${size%x*}" -y "${size#*x}" "$@; echo ended \$?; sleep 1000" ||
		fail "tmux does not start"
	t set-option -g status off >/dev/null
	t resize-window -x "${size%x*}" -y "${size#*x}" 2>/dev/null
}

shot() { t capture-pane -p; }

sees() {
	local deadline=$((SECONDS + ${2:-20}))
	until shot | grep -qE -- "$1"; do
		[ $SECONDS -lt $deadline ] || fail "waited ${2:-20} s in vain for '$1'"
		sleep 0.05
	done
}

gone() {
	local deadline=$((SECONDS + ${2:-20}))
	while shot | grep -qE -- "$1"; do
		[ $SECONDS -lt $deadline ] || fail "'$1' is still there after ${2:-20} s"
		sleep 0.05
	done
}

keys() {
	local k
	for k in "$@"; do
		t send-keys "$k"
		keys_sent=$((keys_sent + 1))
		sleep 0.08
	done
}

types() {
	t send-keys -l -- "$1"
	names_typed=$((names_typed + ${#1}))
	sleep 0.15
}

# What differs from run to run: times, ages, addresses, hashes of names, temporary folders; and the
# widths that go with them.
masked() {
	sed -E -e 's/[0-9]{2}:[0-9]{2}:[0-9]{2}/TIME/g' -e 's/[0-9]{2}:[0-9]{2}Z/CLOCK/g' \
		-e 's/draft kept [0-9]{2}:[0-9]{2}/draft kept TIME/' \
		-e 's/\b[0-9]+(s|m|h|d|h[0-9]{2}m|d[0-9]{2}h|m[0-9]{2}s)\b/AGE/g' \
		-e 's/[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+(\/[0-9]+)?/ADDRESS/g' \
		-e 's/-[0-9a-f]{5}\b/-HASH/g' -e 's#/[^ ]*/drafts/#DRAFTS/#g' \
		-e 's/-{4,}/----/g' -e 's/_{4,}/____/g' -e 's/ +/ /g' -e 's/ $//'
}

screen() {
	local file=$here/screens/$1-$size.txt got=$work/screen.txt i
	if [ -n "${FLIGHTDECK_UPDATE:-}" ]; then
		sleep 0.5
		shot | masked >"$file"
		return
	fi
	[ -f "$file" ] || fail "no kept screen $file"
	# a snapshot may still be on its way
	for i in $(seq 1 60); do
		shot | masked >"$got"
		cmp -s "$file" "$got" && return
		sleep 0.1
	done
	diff -u "$file" "$got"
	fail "screen $1 differs"
}

# The credential config that the manuals' manifests begin with.
practice_config() {
	"$flightdeck" apply -f - <<'Y' >/dev/null || fail "the credential config was not taken"
apiVersion: azure.m.upbound.io/v1beta1
kind: ClusterProviderConfig
metadata:
  name: default
spec:
  credentials:
    source: Secret
    secretRef:
      namespace: crossplane-system
      name: azure-credentials
      key: credentials.json
Y
}
