#ifndef BACKEND_STORE_LOCKFILE_H
#define BACKEND_STORE_LOCKFILE_H

/*
 * One owner: an open-file-description lock on dir/lock, held for the life of the store and released
 * by the kernel when the process dies. The file says who holds it, for messages only.
 *
 * Ownership: lockfile_release (NULL does nothing). Threads: one at a time.
 * Failure: ERR_REFUSED with pid, user and time of the holder, and whether it is stopped.
 */

#include "model/base/error.h"

struct lockfile;

bool lockfile_take(const char *dir, struct lockfile **ret_lock, struct error *err) MUST_CHECK;
void lockfile_release(struct lockfile *l);

#endif
