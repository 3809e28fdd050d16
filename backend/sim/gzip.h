#ifndef BACKEND_SIM_GZIP_H
#define BACKEND_SIM_GZIP_H

/* A gzip file around bytes as they are (RFC 1952, stored blocks): helm's releases are gzipped.
 * Pure. */

#include "model/base/text.h"

void gzip_store(struct text *out, struct str bytes);

#endif
