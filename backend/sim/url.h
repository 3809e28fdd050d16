#ifndef BACKEND_SIM_URL_H
#define BACKEND_SIM_URL_H

/*
 * Queries and forms as they are sent: pairs joined by '&', percent-encoded, '+' a space in forms.
 * Pure. Results live in the arena. A broken escape is kept as it stands.
 */

#include <stdbool.h>

#include "model/base/text.h"

struct arena;

struct str url_decode(struct arena *a, struct str s, bool form);
/* The value of the first pair with that name (any case); empty when absent. */
struct str url_value(struct arena *a, struct str pairs, const char *name, bool form);

#endif
