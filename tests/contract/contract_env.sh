# Sourced by the contract tests: where things are, what is skipped, a directory that goes at the end.
set -u
source_dir=${FLIGHTDECK_SOURCE:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
build_dir=${FLIGHTDECK_BUILD:-$source_dir/build}
shared_dir=${FLIGHTDECK_SHARED:-$source_dir/../shared}
contract_dir=$source_dir/tests/contract

skip()
{
	echo "skipped: $*"
	exit 77
}

need_shared()
{
	[ -d "$shared_dir/$1" ] || skip "no $1 in $shared_dir (FLIGHTDECK_SHARED)"
}

need_programs()
{
	command -v python3 >/dev/null || skip "no python3"
	local program
	for program in "$@"; do
		[ -x "$build_dir/$program" ] || skip "$build_dir/$program is not built (FLIGHTDECK_BUILD)"
	done
}

# Everything temporary of a test is below $work; practice makes its profile there, too.
make_work()
{
	work=$(mktemp -d "${TMPDIR:-/tmp}/flightdeck-contract-XXXXXX") || exit 1
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	export TMPDIR=$work PYTHONDONTWRITEBYTECODE=1
	unset FLIGHTDECK_STATE_DIR FLIGHTDECK_PROFILE
	export XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config
	PATH=$build_dir:$PATH
}

# Sets azure_python: the official Azure packages in a virtual environment that the cache keeps.
# The packages of API version 2025-10-01 stand beside it, in $azure_models.
need_azure_python()
{
	local cache=${XDG_CACHE_HOME:-$HOME/.cache}/flightdeck-tests
	local list=$contract_dir/azure-requirements.txt hash
	hash=$( (cat "$list"; python3 -V) | sha256sum | cut -c1-12)
	azure_home=$cache/azure-$hash
	mkdir -p "$cache" || skip "cannot make $cache"
	(
		flock -w 600 9 || exit 1
		[ -e "$azure_home/complete" ] && exit 0
		echo "installing the Azure packages in $azure_home"
		rm -rf "$azure_home"
		python3 -m venv "$azure_home" &&
			timeout 600 "$azure_home/bin/pip" install -q --disable-pip-version-check -r "$list" &&
			timeout 300 "$azure_home/bin/pip" install -q --disable-pip-version-check --no-deps \
				--target "$azure_home/models-2025-10-01" azure-mgmt-containerservice==40.2.0 &&
			: >"$azure_home/complete"
	) 9>"$azure_home.lock" || skip "the Azure packages cannot be installed (is an index reachable?)"
	azure_python=$azure_home/bin/python
	azure_models=$azure_home/models-2025-10-01
}
