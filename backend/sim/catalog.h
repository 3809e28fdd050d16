#ifndef BACKEND_SIM_CATALOG_H
#define BACKEND_SIM_CATALOG_H

/*
 * What the simulated Azure offers: locations, machine sizes with their GPUs, quota families,
 * Kubernetes versions. Constant tables. The GPU column is what NVIDIA's DRA driver reports on such
 * a machine. Sources: facts/azure.md 3.6, 3.7; quota limits are ours.
 *
 * Threads: pure.
 */

#include <stdbool.h>
#include <stddef.h>

#include "model/base/text.h"

struct location {
	const char *name;    /* "westeurope" */
	const char *display; /* "West Europe" */
	const char *geography;
	int zones;
};

struct gpu_model {
	const char *product;	  /* "NVIDIA A10" */
	const char *architecture; /* "Ampere" */
	const char *brand;
	const char *capability; /* cudaComputeCapability, "8.6.0" */
	const char *memory;	/* "24564Mi" */
};

struct vm_size {
	const char *name;
	const char *family;
	int vcpus;
	int memory_gb;
	int gpus;
	const struct gpu_model *gpu; /* NULL without */
	bool rdma;
	long cached_gb; /* cache disk, for ephemeral OS disks; 0 for none */
};

struct family {
	const char *name;    /* as in skus; compared without regard to case */
	const char *display; /* "Standard NCADS_A100_v4 Family vCPUs" */
	long limit;	     /* vCPUs a region */
};

enum restriction_type { RESTRICT_NONE, RESTRICT_LOCATION, RESTRICT_ZONE };

struct restriction {
	const char *size;
	const char *location; /* NULL: everywhere */
	enum restriction_type type;
	const char *reason; /* reasonCode */
	const char *zone;   /* of RESTRICT_ZONE */
};

struct kube_version {
	const char *minor;
	const char *patches[4]; /* oldest first, NULL-terminated */
	bool lts_only;		/* community support has ended */
	bool is_default;
	bool preview;
};

const struct location *locations_get(size_t *ret_n);
const struct location *location_find(struct str name); /* any case, with or without spaces */
const struct vm_size *sizes_get(size_t *ret_n);
const struct vm_size *size_find(struct str name); /* any case */
const struct family *families_get(size_t *ret_n);
const struct family *family_find(struct str name);
const struct restriction *restriction_find(const struct vm_size *size, const struct location *at);
const struct kube_version *versions_get(size_t *ret_n);
/* Finds by minor ("1.36") or full ("1.36.2"); *ret_patch is the patch meant. NULL when unknown. */
const struct kube_version *version_find(struct str text, const char **ret_patch);
/* The minor's number: 36 for "1.36" and "1.36.2"; -1 for other text. */
int version_minor(struct str text);
/* <0, 0, >0 by number, part by part. */
int version_cmp(struct str a, struct str b);

enum { CORES_LIMIT = 20000 }; /* "cores": all vCPUs of a region */

#endif
