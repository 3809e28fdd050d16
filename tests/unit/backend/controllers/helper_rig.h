#ifndef TESTS_UNIT_BACKEND_CONTROLLERS_HELPER_RIG_H
#define TESTS_UNIT_BACKEND_CONTROLLERS_HELPER_RIG_H

/* An embedded store in a directory of its own, and what tests of controllers do with it. */

#include "backend/controllers/controller.h"
#include "model/node.h"

struct rig {
	char dir[128];
	struct clock *clock;
	struct store *store;
	struct arena *a;
	struct controller_context cx;
};

void rig_open(struct rig *r);
void rig_close(struct rig *r);
/* Creates the object of this JSON, defaulted. */
void rig_create(struct rig *r, const char *json);
/* The object as a tree; NULL when there is none. */
struct node *rig_get(struct rig *r, const char *kind, const char *ns, const char *name);
/* Merges status.conditions Ready and more into a stored object. */
void rig_status(
    struct rig *r, const char *kind, const char *ns, const char *name, const char *status);
void rig_delete(struct rig *r, const char *kind, const char *ns, const char *name);
const struct kind *rig_kind(const char *kind);
/* The reason of a condition, empty when it is not there. */
struct str rig_reason(const struct node *object, const char *type);
/* One pass of a controller on a stored object; fails the test when the pass fails. */
void rig_pass(struct rig *r, const struct controller *c, const char *ns, const char *name);
/* Until *value reaches `want`, at most ten seconds. */
void rig_wait(const _Atomic int *value, int want);

#endif
