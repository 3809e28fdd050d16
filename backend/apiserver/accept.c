#include "backend/apiserver/api_int.h"

#include <string.h>

#include "model/base/mem.h"

/* clang-format off */
static const struct {
	const char *parameter;
	enum form form;
} forms[] = {
	{ "as=Table",                     FORM_TABLE },
	{ "as=PartialObjectMetadata",     FORM_METADATA },
	{ "as=PartialObjectMetadataList", FORM_METADATA },
	{ "as=APIGroupDiscoveryList",     FORM_DISCOVERY },
};
/* clang-format on */

/* One entry of an Accept header. False when it is nothing that we write. */
static bool
entry_form(struct str entry, enum form *ret)
{
	struct str part;
	enum form form = FORM_JSON;
	bool v2beta1 = false;

	if (!str_split(&entry, ';', &part))
		return false;
	part = str_trim(part);
	if (!str_is(part, "application/json") && !str_is(part, "*/*") &&
	    !str_is(part, "application/*"))
		return false;
	while (str_split(&entry, ';', &part)) {
		part = str_trim(part);
		if (str_is(part, "v=v2beta1"))
			v2beta1 = true;
		for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
			if (str_is(part, forms[i].parameter))
				form = forms[i].form;
		}
	}
	if (form == FORM_DISCOVERY && v2beta1)
		return false;
	*ret = form;
	return true;
}

enum form
accept_form(const char *accept)
{
	struct str rest = str_from(accept);
	struct str entry;
	enum form form = FORM_NONE;

	if (rest.n == 0)
		return FORM_JSON;
	while (str_split(&rest, ',', &entry)) {
		if (entry_form(entry, &form))
			return form;
	}
	return FORM_NONE;
}

struct str
media_type(struct arena *a, const char *header)
{
	struct str all = str_from(header);
	ptrdiff_t end = str_find_char(all, ';');
	struct str type = str_trim(end >= 0 ? str_sub(all, 0, (size_t)end) : all);
	char *copy = arena_dup(a, type.p != NULL ? type.p : "", type.n);

	if (copy == NULL)
		return (struct str){ 0 };
	for (char *p = copy; *p != '\0'; p++) {
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p + 32);
	}
	return (struct str){ copy, type.n };
}

struct str
query_str(const struct call *c, const char *name)
{
	return str_from(server_request_query(c->req, name));
}

bool
query_is_true(const struct call *c, const char *name)
{
	struct str v = query_str(c, name);

	return str_is(v, "true") || str_is(v, "1") || str_is(v, "True") || str_is(v, "t");
}
