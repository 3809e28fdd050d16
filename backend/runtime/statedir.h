#ifndef BACKEND_RUNTIME_STATEDIR_H
#define BACKEND_RUNTIME_STATEDIR_H

/*
 * The directory in which a profile's files live. It must be ours alone (0700), no symbolic link,
 * not below a directory that others can rename, and on a local file system, because locks and syncs
 * of network file systems cannot be trusted (trust.md 4.C). FLIGHTDECK_ALLOW_NETWORK_FS=1 overrides
 * the last rule for people who know that one machine alone uses it.
 *
 * Threads: any. Failure: a message with the path, the reason and the remedy; nothing is loosened.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/base/error.h"
#include "model/base/text.h"

/* Makes what is missing (0700), checks the rest, tightens the mode of a directory of ours. */
bool statedir_prepare(const char *dir, struct error *err) MUST_CHECK;
/* Checks as above, makes and changes nothing: for looking only. */
bool statedir_check(const char *dir, struct error *err) MUST_CHECK;

/* Name of a network file system by its statfs type, or NULL for a local one. */
const char *statedir_network_fs(uint64_t type);

/* Flushes the directory itself, so that new names in it survive a power loss. */
bool statedir_sync(const char *dir, struct error *err) MUST_CHECK;
/* Replaces dir/name by bytes: new file 0600, fsync, rename, fsync of the directory. */
bool statedir_replace(
    const char *dir, const char *name, struct str bytes, struct error *err) MUST_CHECK;
/* Owned "dir/name"; NULL without memory. */
char *statedir_path(const char *dir, const char *name);

/* Text of an errno, constant. */
const char *errno_text(int number);

#endif
