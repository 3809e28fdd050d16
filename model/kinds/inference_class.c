#include "model/kinds/inference_class.h"

#include "model/kinds/device.h"
#include "model/kinds/table.h"

static const char *const shorts[] = { "icl", NULL };
const char *const class_provider_words[] = { "GKE", "EKS", "AKS", "Nebius", "Vultr", NULL };
const char *const device_claim_words[] = { "DRA", "Synthetic", NULL };

static const struct rule provisioning_rules[] = {
	{ "InferenceClass-1", "self.provider != 'GKE' || has(self.gke)",
	    "provider GKE has no gke block", "add the gke block beside provider" },
	{ "InferenceClass-2", "self.provider != 'EKS' || has(self.eks)",
	    "provider EKS has no eks block", "add the eks block beside provider" },
	{ "InferenceClass-3", "self.provider != 'AKS' || has(self.aks)",
	    "provider AKS has no aks block", "add the aks block beside provider" },
	{ "InferenceClass-4", "self.provider != 'Nebius' || has(self.nebius)",
	    "provider Nebius has no nebius block", "add the nebius block beside provider" },
	{ "InferenceClass-5", "self.provider != 'Vultr' || has(self.vultr)",
	    "provider Vultr has no vultr block", "add the vultr block beside provider" },
};

static const struct rule device_rules[] = {
	{ "InferenceClass-6", "self.claim != 'DRA' || has(self.deviceClassName)",
	    "a DRA device names no DeviceClass",
	    "set deviceClassName, or claim: Synthetic when no driver claims it" },
};

static const struct rule attribute_rules[] = {
	{ "InferenceClass-7",
	    "[has(self.string), has(self.version), has(self.bool), has(self.int)].filter(x, x)"
	    ".size() == 1",
	    "an attribute carries no value, or more than one",
	    "set exactly one of string, version, bool and int" },
};

/* clang-format off */
#define ROW_OF struct accelerator
static const struct field accelerator_fields[] = {
	F(type, "type", STRING, .flags = REQUIRED, RANGE(1, 63), .doc = "Kind of GPU, such as nvidia-l4; value of the nodes' GPU label."),
	F(count, "count", INT, .flags = REQUIRED, RANGE(1, 16), .doc = "GPUs in one machine."),
};
#undef ROW_OF
static const struct schema accelerator_schema =
    SCHEMA("Accelerator", struct accelerator, accelerator_fields);

#define ROW_OF struct class_recipe
#define DISK F(disk_gb, "diskSizeGb", INT, AT_LEAST(10), .def = "100", .doc = "Disk of a node in GB.")
#define ACCELERATOR F(accelerator, "accelerator", OBJECT, .flags = REQUIRED, .sub = &accelerator_schema, \
	    .doc = "The GPU of a node.")

static const struct field gke_fields[] = {
	F(machine, "machineType", STRING, .flags = REQUIRED, AT_LEAST(1), .doc = "Compute Engine machine type."),
	DISK,
	ACCELERATOR,
};
static const struct schema gke_schema = SCHEMA("GKERecipe", struct class_recipe, gke_fields);

static const struct field eks_fields[] = {
	F(machine, "instanceType", STRING, .flags = REQUIRED, AT_LEAST(1), .doc = "EC2 instance type; it decides the GPU."),
	DISK,
	ACCELERATOR,
};
static const struct schema eks_schema = SCHEMA("EKSRecipe", struct class_recipe, eks_fields);

static const struct field aks_fields[] = {
	F(machine, "vmSize", STRING, .flags = REQUIRED, AT_LEAST(1), .doc = "Azure VM size; it decides the GPU."),
	DISK,
	ACCELERATOR,
};
static const struct schema aks_schema = SCHEMA("AKSRecipe", struct class_recipe, aks_fields);

static const struct field nebius_fields[] = {
	F(machine, "platform", STRING, .flags = REQUIRED, RANGE(1, 63), .doc = "Compute platform."),
	F(preset, "preset", STRING, .flags = REQUIRED, RANGE(1, 63), .doc = "Preset of that platform."),
	DISK,
	F(drivers_preset, "driversPreset", STRING, RANGE(1, 63), .def = "\"cuda13.0\"",
	    .doc = "Driver stack that comes installed."),
	ACCELERATOR,
};
static const struct schema nebius_schema = SCHEMA("NebiusRecipe", struct class_recipe, nebius_fields);

static const struct field vultr_fields[] = {
	F(machine, "plan", STRING, .flags = REQUIRED, RANGE(1, 63), .doc = "Vultr plan; it decides the GPU."),
	ACCELERATOR,
};
static const struct schema vultr_schema = SCHEMA("VultrRecipe", struct class_recipe, vultr_fields);
#undef DISK
#undef ACCELERATOR
#undef ROW_OF

#define ROW_OF struct provisioning
static const struct field provisioning_fields[] = {
	F(provider, "provider", ENUM, .flags = REQUIRED, .words = class_provider_words, .doc = "The cloud that the recipe is for."),
	F(gke, "gke", OBJECT, .sub = &gke_schema, .doc = "Recipe on GKE."),
	F(eks, "eks", OBJECT, .sub = &eks_schema, .doc = "Recipe on EKS."),
	F(aks, "aks", OBJECT, .sub = &aks_schema, .doc = "Recipe on AKS."),
	F(nebius, "nebius", OBJECT, .sub = &nebius_schema, .doc = "Recipe on Nebius."),
	F(vultr, "vultr", OBJECT, .sub = &vultr_schema, .doc = "Recipe on Vultr."),
};
#undef ROW_OF
static const struct schema provisioning_schema =
    SCHEMA("Provisioning", struct provisioning, provisioning_fields);

#define ROW_OF struct device_attribute
static const struct field attribute_fields[] = {
	F(string, "string", STRING, AT_MOST(253), .doc = "The fact as text."),
	F(version, "version", STRING, AT_MOST(32), .doc = "The fact as a semantic version, such as 9.0.0."),
	F(boolean, "bool", BOOL, .doc = "The fact as true or false."),
	F(integer, "int", INT, .format = "int64", .doc = "The fact as a whole number."),
};
#undef ROW_OF
const struct schema device_attribute_schema =
    SCHEMA("DeviceAttribute", struct device_attribute, attribute_fields);

#define ROW_OF struct device_capacity
static const struct field capacity_fields[] = {
	F(value, "value", STRING, .flags = REQUIRED, RANGE(1, 32), .doc = "A quantity, such as 141Gi."),
};
#undef ROW_OF
static const struct schema capacity_schema =
    SCHEMA("DeviceCapacity", struct device_capacity, capacity_fields);

#define ROW_OF struct class_device
static const struct field device_fields[] = {
	F(name, "name", STRING, .flags = REQUIRED, RANGE(1, 63), .doc = "Name of the entry, such as gpu."),
	F(claim, "claim", ENUM, .words = device_claim_words, .def = "\"DRA\"",
	    .doc = "DRA: matched and claimed through a driver. Synthetic: matched only."),
	F(driver, "driver", STRING, .flags = REQUIRED, RANGE(1, 253),
	    .doc = "DRA driver, such as gpu.nvidia.com; the domain of names without one."),
	F(device_class_name, "deviceClassName", STRING, RANGE(1, 253), .doc = "DeviceClass to claim through; DRA devices name one."),
	F(count, "count", INT, RANGE(1, 64), .def = "1", .doc = "How many a node has."),
	F(attributes, "attributes", MAPOF, AT_MOST(32), .sub = &device_attribute_schema, ITEM_RULES(attribute_rules),
	    .doc = "Facts by name, or by domain/name."),
	F(capacity, "capacity", MAPOF, AT_MOST(32), .sub = &capacity_schema,
	    .doc = "Quantities as the driver reports them, by name or domain/name."),
};
#undef ROW_OF
static const struct schema device_schema = SCHEMA("Device", struct class_device, device_fields);

#define ROW_OF struct inference_class_spec
static const struct field spec_fields[] = {
	F(description, "description", STRING, .doc = "Words for people."),
	F(provisioning, "provisioning", OBJECT, .sub = &provisioning_schema, RULES(provisioning_rules),
	    .doc = "How to make a pool; absent for hardware that is already there."),
	F(devices, "devices", LIST, .flags = REQUIRED, RANGE(1, 16), .keys = name_keys, .sub = &device_schema,
	    ITEM_RULES(device_rules), .doc = "What one node has; this is what scheduling matches."),
	CROSSPLANE_FIELD,
};
#undef ROW_OF
static const struct schema spec_schema =
    SCHEMA("InferenceClassSpec", struct inference_class_spec, spec_fields);

#define ROW_OF struct inference_class_status
static const struct field status_fields[] = {
	CONDITIONS_FIELD,
};
#undef ROW_OF
static const struct schema status_schema =
    SCHEMA("InferenceClassStatus", struct inference_class_status, status_fields);

#define ROW_OF struct inference_class
static const struct field object_fields[] = {
	OBJECT_FIELDS,
	F(spec, "spec", OBJECT, .flags = REQUIRED, .sub = &spec_schema, .doc = "What is wanted."),
	F(status, "status", OBJECT, .sub = &status_schema, .doc = "What was observed."),
};
#undef ROW_OF
const struct schema inference_class_schema =
    SCHEMA("InferenceClass", struct inference_class, object_fields);
/* clang-format on */

static const struct column_def columns[] = { FRAMEWORK_COLUMNS };

const struct kind inference_class_kind = {
	.group = GROUP_USER,
	.version = "v1alpha1",
	.kind = "InferenceClass",
	.plural = "inferenceclasses",
	.singular = "inferenceclass",
	.shorts = shorts,
	.categories = modelplane_categories,
	.flags = KIND_RECONCILED | KIND_STATUS,
	.schema = &inference_class_schema,
	.columns = columns,
	.ncolumns = ARRAY_LEN(columns),
	.doc = "Tested recipe for a GPU pool: what a node has, and how to make one.",
};

const struct class_recipe *
class_recipe_get(const struct inference_class *c, int source)
{
	const struct provisioning *p = &c->spec.provisioning;
	const struct class_recipe *const recipes[] = {
		[CLASS_GKE] = &p->gke,
		[CLASS_EKS] = &p->eks,
		[CLASS_AKS] = &p->aks,
		[CLASS_NEBIUS] = &p->nebius,
		[CLASS_VULTR] = &p->vultr,
	};

	if (!p->present || source < 0 || (size_t)source >= ARRAY_LEN(recipes))
		return NULL;
	return recipes[source]->present ? recipes[source] : NULL;
}
