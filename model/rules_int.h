#ifndef MODEL_RULES_INT_H
#define MODEL_RULES_INT_H

/*
 * What the flightdeck/ rules share. They say what schemas cannot: facts of a cloud, and how an
 * object goes with another one. Only for model/rules*.c.
 */

#include "model/validate.h"

struct rule_check {
	const struct kind *kind;
	const struct node *object;
	const struct manifest_set *set; /* may be NULL */
	const struct known *known;
	struct problems *problems;
	struct arena *arena;
};

/* "spec.nodePools[2].name", in the arena. */
struct str pool_path(const struct rule_check *c, size_t index, const char *member);

/* Stored, or in the set; NULL when neither has it. */
const struct node *rules_find(const struct rule_check *c, const struct kind *k, struct str name);

void rules_version(
    const struct rule_check *c, const struct node *version, const char *path, bool on_aks);
/* Numbers of a pool: a least and a most that is absent counts as given. */
struct pool_counts {
	int64_t count, min, max;
	const struct node *pool;
	size_t index;
	const char *cloud; /* of which the defaults are */
	bool max_is_default;
};
void rules_counts(const struct rule_check *c, const struct pool_counts *n);

void rules_inference_cluster(const struct rule_check *c);
void rules_inference_class(const struct rule_check *c);
void rules_aks_cluster(const struct rule_check *c);
void rules_gke_cluster(const struct rule_check *c);
void rules_eks_cluster(const struct rule_check *c);
void rules_pools_only(const struct rule_check *c);
void rules_serving_stack(const struct rule_check *c);
void rules_provider_config(const struct rule_check *c);

#endif
