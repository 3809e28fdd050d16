#include "backend/apiserver/builtin.h"
#include "backend/kube/client.h"

#include <string.h>

/* Kinds that we also have tables of are named by those, so that Secrets are wiped like Secrets. */
const struct resource *
kube_resource(const char *kind)
{
	const struct builtin *b = builtin_find_kind(kind);

	if (b == NULL)
		return NULL;
	size_t n = 0;
	const struct kind *known = NULL;
	const struct kind *const *all = kinds_get(&n);

	for (size_t i = 0; i < n && known == NULL; i++) {
		if (strcmp(all[i]->kind, b->res.kind) == 0 &&
		    strcmp(all[i]->group, b->res.group) == 0)
			known = all[i];
	}
	return known != NULL ? resource_of(known) : &b->res;
}
