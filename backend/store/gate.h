#ifndef BACKEND_STORE_GATE_H
#define BACKEND_STORE_GATE_H

/*
 * Which SQLite may be trusted with what (trust.md 0.3). From 3.7.0 to 3.51.2 two connections that
 * write or checkpoint one write-ahead log at the same instant can corrupt the file; 3.51.3, 3.50.7
 * and 3.44.6 have the repair. A rollback journal, or one connection alone, is not affected.
 *
 * Threads: pure.
 */

#include <stdbool.h>

#include "model/base/error.h"

enum journal_mode { JOURNAL_ROLLBACK, JOURNAL_WAL };

/* version as sqlite3_libversion_number() says it: 3051003 for 3.51.3. */
bool gate_wal_is_sound(int version);
bool gate_check(int version, enum journal_mode mode, int connections, struct error *err) MUST_CHECK;

#endif
