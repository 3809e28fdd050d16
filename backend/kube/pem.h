#ifndef BACKEND_KUBE_PEM_H
#define BACKEND_KUBE_PEM_H

/*
 * Certificates and keys as PEM text: are they what they claim, do they fit together, when do they
 * end. Threads: any. Failure: an error that names the field and quotes nothing.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/base/error.h"
#include "model/base/text.h"

enum pem_kind { PEM_CERTIFICATES, PEM_KEY };

bool pem_is(struct str bytes); /* begins with a PEM header, white space aside */
bool pem_check(struct str pem, enum pem_kind kind, const char *field, struct error *err) MUST_CHECK;
/* The first certificate and the key belong together; *ret_expires_ms is its notAfter. */
bool pem_pair(
    struct str cert, struct str key, int64_t *ret_expires_ms, struct error *err) MUST_CHECK;
/* Reads a file that a kubeconfig of a person names; absolute paths only, bounded by out's limit. */
bool pem_load(struct str path, const char *field, struct text *out, struct error *err) MUST_CHECK;

/* Overwrites bytes that text of ours still holds. */
void str_wipe(struct str s);

#endif
