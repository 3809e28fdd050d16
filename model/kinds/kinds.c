#include "model/schema.h"

#include "model/kinds/aks_cluster.h"
#include "model/kinds/event.h"
#include "model/kinds/external.h"
#include "model/kinds/inference_class.h"
#include "model/kinds/inference_cluster.h"
#include "model/kinds/namespace.h"
#include "model/kinds/provider_clusters.h"
#include "model/kinds/provider_config.h"
#include "model/kinds/secret.h"
#include "model/kinds/serving.h"
#include "model/kinds/serving_stack.h"

/* In the order that kinds_get promises. */
static const struct kind *const all[] = {
	&inference_cluster_kind,
	&inference_class_kind,
	&aks_cluster_kind,
	&gke_cluster_kind,
	&eks_cluster_kind,
	&nebius_cluster_kind,
	&vultr_cluster_kind,
	&serving_stack_kind,
	&model_cache_kind,
	&model_deployment_kind,
	&model_replica_kind,
	&model_service_kind,
	&model_endpoint_kind,
	&inference_gateway_kind,
	&provider_config_kinds[PROVIDER_AZURE],
	&cluster_provider_config_kinds[PROVIDER_AZURE],
	&provider_config_kinds[PROVIDER_AWS],
	&cluster_provider_config_kinds[PROVIDER_AWS],
	&provider_config_kinds[PROVIDER_GCP],
	&cluster_provider_config_kinds[PROVIDER_GCP],
	&provider_config_kinds[PROVIDER_NEBIUS],
	&cluster_provider_config_kinds[PROVIDER_NEBIUS],
	&provider_config_kinds[PROVIDER_VULTR],
	&cluster_provider_config_kinds[PROVIDER_VULTR],
	&namespace_kind,
	&secret_kind,
	&event_kind,
	&external_kind,
};

const struct kind *const *
kinds_get(size_t *ret_count)
{
	*ret_count = ARRAY_LEN(all);
	return all;
}

const struct kind *
kind_find(struct str api_version, struct str kind)
{
	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		if (str_is(kind, all[i]->kind) && kind_has_api_version(all[i], api_version))
			return all[i];
	}
	return NULL;
}

bool
kind_has_api_version(const struct kind *k, struct str api_version)
{
	struct str rest = api_version;
	struct str group;

	if (k->group[0] == '\0')
		return str_is(api_version, k->version);
	return str_split(&rest, '/', &group) && str_is(group, k->group) && str_is(rest, k->version);
}

static bool
word_is(struct str word, const char *name)
{
	return str_eq_nocase(word, str_from(name));
}

static bool
kind_answers_to(const struct kind *k, struct str word)
{
	if (word_is(word, k->kind) || word_is(word, k->plural) || word_is(word, k->singular))
		return true;
	for (const char *const *s = k->shorts; *s != NULL; s++) {
		if (word_is(word, *s))
			return true;
	}
	return false;
}

const struct kind *
kind_find_word(struct str word)
{
	ptrdiff_t dot = str_find_char(word, '.');
	struct str name = dot < 0 ? word : str_sub(word, 0, (size_t)dot);
	struct str group = dot < 0 ? str_from("") : str_sub(word, (size_t)dot + 1, word.n);

	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		if (dot >= 0 && !word_is(group, all[i]->group))
			continue;
		if (kind_answers_to(all[i], name))
			return all[i];
	}
	return NULL;
}

void
kind_api_version(const struct kind *k, struct text *out)
{
	if (k->group[0] != '\0') {
		text_add(out, k->group);
		text_add_char(out, '/');
	}
	text_add(out, k->version);
}
