#ifndef TESTS_UNIT_MODEL_HELPER_SHARED_H
#define TESTS_UNIT_MODEL_HELPER_SHARED_H

/*
 * Reads reference material that is not in the tree: below FLIGHTDECK_SHARED, else beside the tree.
 * Owns: free the result with mem_free. NULL when there is no such file.
 */

#include <stddef.h>

#include "model/base/text.h"

char *shared_read(const char *name, size_t *ret_bytes);

#endif
