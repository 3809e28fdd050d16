#!/usr/bin/env bash
# The console ended in every way: gone within a second, the terminal as before.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
flightdeck=${FLIGHTDECK_BUILD:-$here/../../build}/flightdeck
command -v python3 >/dev/null || { echo "python3 is not installed: skipped"; exit 77; }
[ -x "$flightdeck" ] || { echo "$flightdeck is not built: skipped"; exit 77; }
exec python3 "$here/death.py" "$flightdeck"
