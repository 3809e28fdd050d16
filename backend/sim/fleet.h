#ifndef BACKEND_SIM_FLEET_H
#define BACKEND_SIM_FLEET_H

/*
 * Manifests of a fleet worth looking at, for `flightdeck practice`: a credential config, classes
 * and clusters on AKS, some of which meet trouble. Pure.
 */

#include "model/base/text.h"

void fleet_write(struct text *out);

#endif
