#include "backend/sim/catalog.h"

#include "model/base/macros.h"

/* clang-format off */
static const struct location locations[] = {
	{ "eastus",         "East US",          "US",        3 },
	{ "eastus2",        "East US 2",        "US",        3 },
	{ "southcentralus", "South Central US", "US",        3 },
	{ "westus3",        "West US 3",        "US",        3 },
	{ "northcentralus", "North Central US", "US",        0 },
	{ "westeurope",     "West Europe",      "Europe",    3 },
	{ "northeurope",    "North Europe",     "Europe",    3 },
	{ "swedencentral",  "Sweden Central",   "Europe",    3 },
	{ "uksouth",        "UK South",         "Europe",    3 },
	{ "japaneast",      "Japan East",       "Asia Pacific", 3 },
	{ "southeastasia",  "Southeast Asia",   "Asia Pacific", 3 },
	{ "australiaeast",  "Australia East",   "Asia Pacific", 3 },
};

static const struct gpu_model t4       = { "Tesla T4",               "Turing",       "Nvidia", "7.5.0", "15360Mi" };
static const struct gpu_model a10      = { "NVIDIA A10",             "Ampere",       "Nvidia", "8.6.0", "24564Mi" };
static const struct gpu_model a100_40  = { "NVIDIA A100-SXM4-40GB",  "Ampere",       "Nvidia", "8.0.0", "40960Mi" };
static const struct gpu_model a100_80  = { "NVIDIA A100-SXM4-80GB",  "Ampere",       "Nvidia", "8.0.0", "81920Mi" };
static const struct gpu_model a100_pci = { "NVIDIA A100 80GB PCIe",  "Ampere",       "Nvidia", "8.0.0", "81920Mi" };
static const struct gpu_model h100     = { "NVIDIA H100 80GB HBM3",  "Hopper",       "Nvidia", "9.0.0", "81559Mi" };
static const struct gpu_model h100_nvl = { "NVIDIA H100 NVL",        "Hopper",       "Nvidia", "9.0.0", "95830Mi" };
static const struct gpu_model h200     = { "NVIDIA H200",            "Hopper",       "Nvidia", "9.0.0", "143771Mi" };

static const struct vm_size sizes[] = {
	/* name, family, vCPUs, memory GB, GPUs, what they are, RDMA, cache GB */
	{ "Standard_B2s",              "standardBSFamily",             2,   4, 0, NULL,      false,   0 },
	{ "Standard_D2s_v5",           "standardDSv5Family",           2,   8, 0, NULL,      false,   0 },
	{ "Standard_D4s_v5",           "standardDSv5Family",           4,  16, 0, NULL,      false,   0 },
	{ "Standard_D8s_v5",           "standardDSv5Family",           8,  32, 0, NULL,      false,   0 },
	{ "Standard_D16s_v5",          "standardDSv5Family",          16,  64, 0, NULL,      false,   0 },
	{ "Standard_D32s_v5",          "standardDSv5Family",          32, 128, 0, NULL,      false,   0 },
	{ "Standard_D4ds_v5",          "standardDDSv5Family",          4,  16, 0, NULL,      false, 100 },
	{ "Standard_D8ds_v5",          "standardDDSv5Family",          8,  32, 0, NULL,      false, 200 },
	{ "Standard_E8s_v5",           "standardESv5Family",           8,  64, 0, NULL,      false,   0 },
	{ "Standard_NC4as_T4_v3",      "Standard NCASv3_T4 Family",    4,  28, 1, &t4,       false,   0 },
	{ "Standard_NC64as_T4_v3",     "Standard NCASv3_T4 Family",   64, 440, 4, &t4,       false,   0 },
	{ "Standard_NV36ads_A10_v5",   "StandardNVADSA10v5Family",    36, 440, 1, &a10,      false, 1024 },
	{ "Standard_NV36adms_A10_v5",  "StandardNVADSA10v5Family",    36, 880, 1, &a10,      false, 1024 },
	{ "Standard_NV72ads_A10_v5",   "StandardNVADSA10v5Family",    72, 880, 2, &a10,      false, 2048 },
	{ "Standard_NC24ads_A100_v4",  "StandardNCADSA100v4Family",   24, 220, 1, &a100_pci, false, 256 },
	{ "Standard_NC48ads_A100_v4",  "StandardNCADSA100v4Family",   48, 440, 2, &a100_pci, false, 512 },
	{ "Standard_NC96ads_A100_v4",  "StandardNCADSA100v4Family",   96, 880, 4, &a100_pci, false, 1024 },
	{ "Standard_ND96asr_v4",       "standardNDASv4_A100Family",   96, 900, 8, &a100_40,  true,     0 },
	{ "Standard_ND96amsr_A100_v4", "Standard NDAMSv4_A100Family", 96, 1900, 8, &a100_80, true,     0 },
	{ "Standard_NC40ads_H100_v5",  "StandardNCadsH100v5Family",   40, 320, 1, &h100_nvl, false,   0 },
	{ "Standard_NC80adis_H100_v5", "StandardNCadsH100v5Family",   80, 640, 2, &h100_nvl, false,   0 },
	{ "Standard_ND96isr_H100_v5",  "standardNDSH100v5Family",     96, 1900, 8, &h100,    true,     0 },
	{ "Standard_ND96isr_H200_v5",  "standardNDISRH200V5Family",   96, 1850, 8, &h200,    true,     0 },
};

static const struct family families[] = {
	{ "standardBSFamily",            "Standard BS Family vCPUs",             100 },
	{ "standardDSv5Family",          "Standard DSv5 Family vCPUs",          8000 },
	{ "standardDDSv5Family",         "Standard DDSv5 Family vCPUs",          500 },
	{ "standardESv5Family",          "Standard ESv5 Family vCPUs",           500 },
	{ "Standard NCASv3_T4 Family",   "Standard NCASv3_T4 Family vCPUs",      256 },
	{ "StandardNVADSA10v5Family",    "Standard NVADSA10v5 Family vCPUs",    1440 },
	{ "StandardNCADSA100v4Family",   "Standard NCADS_A100_v4 Family vCPUs", 1920 },
	{ "standardNDASv4_A100Family",   "Standard NDASv4_A100 Family vCPUs",    768 },
	{ "Standard NDAMSv4_A100Family", "Standard NDAMSv4_A100 Family vCPUs",   768 },
	{ "StandardNCadsH100v5Family",   "Standard NCadsH100v5 Family vCPUs",      0 },
	{ "standardNDSH100v5Family",     "Standard NDSH100v5 Family vCPUs",     1536 },
	{ "standardNDISRH200V5Family",   "Standard NDISRH200V5 Family vCPUs",    768 },
};

static const struct restriction restrictions[] = {
	{ "Standard_ND96isr_H200_v5",  "westeurope",    RESTRICT_LOCATION, "NotAvailableForSubscription", NULL },
	{ "Standard_ND96isr_H200_v5",  "uksouth",       RESTRICT_LOCATION, "NotAvailableForSubscription", NULL },
	{ "Standard_ND96isr_H100_v5",  "northeurope",   RESTRICT_LOCATION, "NotAvailableForSubscription", NULL },
	{ "Standard_ND96amsr_A100_v4", "australiaeast", RESTRICT_LOCATION, "QuotaId", NULL },
	{ "Standard_NV36ads_A10_v5",   "westeurope",    RESTRICT_ZONE,     "NotAvailableForSubscription", "2" },
	{ "Standard_NC24ads_A100_v4",  "japaneast",     RESTRICT_ZONE,     "NotAvailableForSubscription", "3" },
};

/* 1.34's community support ends in November 2026; the last day counts here. */
static const struct kube_version versions[] = {
	{ "1.33", { "1.33.9" },           .lts_only = true },
	{ "1.34", { "1.34.4", "1.34.6" }, .lts_only = false },
	{ "1.35", { "1.35.4" },           .is_default = true },
	{ "1.36", { "1.36.1", "1.36.2" }, .lts_only = false },
	{ "1.37", { "1.37.0" },           .preview = true },
};
/* clang-format on */

const struct location *
locations_get(size_t *ret_n)
{
	*ret_n = ARRAY_LEN(locations);
	return locations;
}

/* "West Europe" and "westeurope" are one location. */
static bool
same_location(struct str given, const char *name)
{
	size_t at = 0;

	for (size_t i = 0; i < given.n; i++) {
		if (given.p[i] == ' ')
			continue;
		if (name[at] == '\0' ||
		    !str_eq_nocase(str_sub(given, i, 1), (struct str){ name + at, 1 }))
			return false;
		at++;
	}
	return at > 0 && name[at] == '\0';
}

const struct location *
location_find(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(locations); i++) {
		if (same_location(name, locations[i].name))
			return &locations[i];
	}
	return NULL;
}

const struct vm_size *
sizes_get(size_t *ret_n)
{
	*ret_n = ARRAY_LEN(sizes);
	return sizes;
}

const struct vm_size *
size_find(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		if (str_eq_nocase(name, str_from(sizes[i].name)))
			return &sizes[i];
	}
	return NULL;
}

const struct family *
families_get(size_t *ret_n)
{
	*ret_n = ARRAY_LEN(families);
	return families;
}

const struct family *
family_find(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(families); i++) {
		if (str_eq_nocase(name, str_from(families[i].name)))
			return &families[i];
	}
	return NULL;
}

const struct restriction *
restriction_find(const struct vm_size *size, const struct location *at)
{
	for (size_t i = 0; i < ARRAY_LEN(restrictions); i++) {
		const struct restriction *r = &restrictions[i];

		if (str_is(str_from(r->size), size->name) &&
		    (r->location == NULL || str_is(str_from(r->location), at->name)))
			return r;
	}
	return NULL;
}

const struct kube_version *
versions_get(size_t *ret_n)
{
	*ret_n = ARRAY_LEN(versions);
	return versions;
}

const struct kube_version *
version_find(struct str text, const char **ret_patch)
{
	for (size_t i = 0; i < ARRAY_LEN(versions); i++) {
		const char *newest = NULL;

		for (size_t k = 0; k < ARRAY_LEN(versions[i].patches); k++) {
			if (versions[i].patches[k] == NULL)
				break;
			newest = versions[i].patches[k];
			if (str_is(text, newest)) {
				*ret_patch = newest;
				return &versions[i];
			}
		}
		if (str_is(text, versions[i].minor)) {
			*ret_patch = newest;
			return &versions[i];
		}
	}
	return NULL;
}

int
version_minor(struct str text)
{
	struct str rest = text;
	struct str piece;
	int64_t major = 0, minor = 0;

	if (!str_split(&rest, '.', &piece) || !str_to_int(piece, &major) || major != 1)
		return -1;
	if (!str_split(&rest, '.', &piece) || !str_to_int(piece, &minor) || minor < 0 ||
	    minor > 999)
		return -1;
	return (int)minor;
}

int
version_cmp(struct str a, struct str b)
{
	for (int i = 0; i < 3; i++) {
		struct str pa = { 0 }, pb = { 0 };
		int64_t na = 0, nb = 0;

		if (!str_split(&a, '.', &pa) || !str_to_int(pa, &na))
			na = 0;
		if (!str_split(&b, '.', &pb) || !str_to_int(pb, &nb))
			nb = 0;
		if (na != nb)
			return na < nb ? -1 : 1;
	}
	return 0;
}
