#ifndef MODEL_VALUE_H
#define MODEL_VALUE_H

/*
 * The small values of Kubernetes that stand in text: one include for all. Each is pure and has a
 * file of its own.
 */

#include "model/cidr.h"
#include "model/duration.h"
#include "model/quantity.h"
#include "model/selector.h"
#include "model/semver.h"
#include "model/stamp.h"

#endif
