#ifndef BACKEND_SIM_INVENTORY_H
#define BACKEND_SIM_INVENTORY_H

/*
 * What exists in the simulated cloud, read from the state beside a running simulator: groups,
 * networks, clusters with their pools and what lives in them, role assignments, and what clusters
 * made in their node groups. The oracle of leaks: an empty cloud has a total of 0.
 */

#include <stdbool.h>

#include "model/base/error.h"
#include "model/base/text.h"

bool inventory_print(const char *dir, bool json, struct text *out, struct error *err) MUST_CHECK;

#endif
