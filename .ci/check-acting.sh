#!/bin/sh
# Every acting call of a row is made by the engine, between a durable intent and the record of what
# happened. This fails when a row's create, update or remove is called anywhere else, when the three
# sending functions lose their failpoints, or when a provider acts from an observe function.
set -eu
cd "$(dirname "$0")/.."
bad=0

complain() {
	echo "check-acting: $1" >&2
	bad=1
}

# ->type->create(...), types[i].update(...), row.remove(...): only steps.c, once each.
calls=$(grep -rnE '(->|\.)(create|update|remove)\(&(r->)?step' backend model tui 2>/dev/null |
	grep -v '^backend/compose/steps\.c:' | grep -v '^backend/sim/' || true)
[ -z "$calls" ] || complain "a row is called outside backend/compose/steps.c:
$calls"
for verb in create update remove; do
	n=$(grep -cE "type->$verb\(&r->step" backend/compose/steps.c || true)
	[ "$n" = 1 ] || complain "steps.c calls a row's $verb in $n places, not in one"
done
for point in before-intent intent-durable sent answered recorded deleted; do
	grep -q "\"compose/$point\"" backend/compose/steps.c || complain "failpoint compose/$point is gone"
done
grep -rq '"compose/finalizer"' backend/controllers || complain "failpoint compose/finalizer is gone"

# Inside a provider: PUT, DELETE and POST leave through functions that only rows' acting
# functions may use. Files of rows may not name them in anything called *_observe or *_look.
for f in backend/providers/*/*.c; do
	awk -v f="$f" '
		/^[a-z_]+\(/ { fn = $0; sub(/\(.*/, "", fn) }
		/arm_put\(|arm_remove\(/ && fn ~ /(observe|look|compare)/ {
			printf "%s:%d: %s acts\n", f, FNR, fn
			found = 1
		}
		END { exit found }' "$f" >&2 || complain "an observing function acts in $f"
done
exit $bad
