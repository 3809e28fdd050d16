#include "backend/store/gate.h"

#include <stddef.h>

/* Tables that are STRICT came with 3.37; RETURNING and the calls that we use are older. */
enum { OLDEST = 3037000 };

struct range {
	int first, last;
};

/* Releases with a sound write-ahead log: before there was one to share, and after the repairs. */
static const struct range sound[] = {
	{ 0, 3006999 },
	{ 3044006, 3044999 },
	{ 3050007, 3050999 },
	{ 3051003, 2147483647 },
};

bool
gate_wal_is_sound(int version)
{
	for (size_t i = 0; i < ARRAY_LEN(sound); i++) {
		if (version >= sound[i].first && version <= sound[i].last)
			return true;
	}
	return false;
}

bool
gate_check(int version, enum journal_mode mode, int connections, struct error *err)
{
	int major = version / 1000000, minor = version / 1000 % 1000, patch = version % 1000;

	if (version < OLDEST) {
		error_set(err, ERR_REFUSED,
		    "SQLite %d.%d.%d is too old: 3.37.0 is the oldest that works", major, minor,
		    patch);
		error_advise(err, "install a newer libsqlite3");
		return false;
	}
	if (mode == JOURNAL_WAL && connections > 1 && !gate_wal_is_sound(version)) {
		error_set(err, ERR_REFUSED,
		    "SQLite %d.%d.%d can damage a write-ahead log that several "
		    "connections share",
		    major, minor, patch);
		error_advise(err, "install 3.51.3, 3.50.7 or 3.44.6, or use one connection");
		return false;
	}
	return true;
}
