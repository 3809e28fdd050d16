#ifndef MODEL_KINDS_INFERENCE_CLASS_H
#define MODEL_KINDS_INFERENCE_CLASS_H

/*
 * InferenceClass: what a node of a GPU pool has, and how to make one (spec/resources.md 5).
 *
 * Ownership: borrows from the arena of schema_decode. Threads: pure.
 */

#include "model/kinds/meta.h"

enum class_provider { CLASS_GKE, CLASS_EKS, CLASS_AKS, CLASS_NEBIUS, CLASS_VULTR };

enum device_claim { CLAIM_DRA, CLAIM_SYNTHETIC };

struct accelerator {
	bool present;
	struct str type;
	struct opt_int count;
};

/* A cloud's recipe. `machine` is machineType, instanceType, vmSize, platform or plan. */
struct class_recipe {
	bool present;
	struct str machine;
	struct str preset;	   /* Nebius */
	struct str drivers_preset; /* Nebius */
	struct opt_int disk_gb;	   /* not on Vultr */
	struct accelerator accelerator;
};

struct provisioning {
	bool present;
	int provider; /* enum class_provider */
	struct class_recipe gke, eks, aks, nebius, vultr;
};

struct device_attribute {
	bool present;
	struct str key; /* bare name, or domain/name */
	struct str string, version;
	struct opt_bool boolean;
	struct opt_int integer;
};

struct device_capacity {
	bool present;
	struct str key;
	struct str value; /* a quantity */
};

struct class_device {
	bool present;
	struct str name, driver, device_class_name;
	int claim; /* enum device_claim */
	struct opt_int count;
	struct list attributes; /* struct device_attribute */
	struct list capacity;	/* struct device_capacity */
};

struct inference_class_spec {
	bool present;
	struct str description;
	struct provisioning provisioning;
	struct list devices; /* struct class_device */
	const struct node *crossplane;
};

struct inference_class_status {
	bool present;
	struct list conditions; /* struct condition */
};

struct inference_class {
	struct str api_version, kind;
	struct meta meta;
	struct inference_class_spec spec;
	struct inference_class_status status;
};

extern const struct schema inference_class_schema;
extern const struct kind inference_class_kind;
extern const char *const class_provider_words[];

/* The recipe for a cluster's source (enum cluster_source has the same order); NULL for Existing. */
const struct class_recipe *class_recipe_get(const struct inference_class *c, int source);

#endif
