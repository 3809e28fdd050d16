#ifndef MODEL_KINDS_DEVICE_H
#define MODEL_KINDS_DEVICE_H

/*
 * Parts of a class's devices that a cluster's status repeats. Pure constants.
 */

#include "model/schema.h"

extern const char *const device_claim_words[]; /* DRA, Synthetic */
extern const struct schema device_attribute_schema;

#endif
