#ifndef BACKEND_SIM_FILES_H
#define BACKEND_SIM_FILES_H

/*
 * Small files of the simulator: read whole, and written so that a reader sees the old or the new
 * one and never half of it. Files are 0600, directories 0700.
 *
 * Threads: any. Failure: ERR_IO or ERR_NOT_FOUND, naming the file.
 */

#include <stdbool.h>

#include "model/base/error.h"
#include "model/base/text.h"

bool file_read_in(
    const char *dir, const char *name, struct text *out, struct error *err) MUST_CHECK;
bool file_write_in(
    const char *dir, const char *name, struct str bytes, struct error *err) MUST_CHECK;
bool dir_make(const char *path, struct error *err) MUST_CHECK;
/* Removes a directory of plain files. What is left is left. */
void dir_remove(const char *path);
/* All bytes to a descriptor. */
bool fd_write_all(int fd, struct str bytes);

#endif
