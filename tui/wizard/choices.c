/* What the cloud offers: asked for in the background, put into the forms when it comes. */
#include <stdio.h>
#include <string.h>

#include "tui/text.h"
#include "tui/wizard/wizard_int.h"

static void
copy(char *to, size_t size, struct str s)
{
	(void)snprintf(to, size, STR_FMT, STR_ARG(s));
}

static struct str
after(const char *value, char sep)
{
	const char *p = strchr(value, sep);

	return str_from(p != NULL ? p + 1 : value);
}

void
choices_ask(struct wizard *w, struct console *c)
{
	struct choices *h = &w->choices;
	const char *config = w->where.fields[WHERE_CONFIG].value;
	const char *location = w->where.fields[WHERE_LOCATION].value;
	char asked[sizeof(h->asked)];
	struct request *r;

	(void)snprintf(asked, sizeof(asked), "%s %s", config, location);
	if (strcmp(asked, h->asked) == 0 && (h->pending != 0 || h->err.code == ERR_NONE) &&
	    h->asked[0] != '\0')
		return;
	r = request_new(REQUEST_CHOICES);
	if (r != NULL) {
		r->text = mem_dupz("AKS");
		copy(r->name, sizeof(r->name), config[0] != '\0' ? after(config, '/') : STR(""));
		(void)snprintf(r->ns, sizeof(r->ns), "%s", location);
	}
	copy(h->asked, sizeof(h->asked), str_from(asked));
	error_clear(&h->err);
	h->pending = console_submit(c, &r);
	if (h->pending == 0)
		(void)error_set(&h->err, ERR_BUSY, "the cloud could not be asked: %s", c->toast);
}

/* ---- reading the reply ---- */

static void
read_configs(struct wizard *w, const struct node *list)
{
	struct form_field *f = &w->where.fields[WHERE_CONFIG];
	const struct choice *first = NULL;

	if (list == NULL)
		return;
	field_clear_choices(f);
	for (const struct node *n = node_first(list); n != NULL; n = n->next) {
		struct text t = TEXT_INIT(120);
		struct choice *k;

		text_printf(&t, STR_FMT "/" STR_FMT, STR_ARG(node_path_str(n, "type")),
		    STR_ARG(node_path_str(n, "name")));
		k = field_choice_add(f, text_str(&t));
		text_free(&t);
		if (k == NULL)
			break;
		if (!node_path_bool(n, "ready", true))
			copy(k->note, sizeof(k->note), node_path_str(n, "message"));
	}
	for (size_t i = 0; i < f->nchoices; i++)
		if (first == NULL || str_is(after(f->choices[i].value, '/'), "default"))
			first = &f->choices[i];
	if (f->value[0] == '\0' && first != NULL)
		field_set(f, str_from(first->value));
	f->hint[0] = '\0';
	if (f->nchoices == 0)
		(void)snprintf(
		    f->hint, sizeof(f->hint), "none stored: 'flightdeck login azure' makes one");
}

static void
read_locations(struct wizard *w, const struct node *list)
{
	struct form_field *f = &w->where.fields[WHERE_LOCATION];

	if (list == NULL)
		return;
	field_clear_choices(f);
	for (const struct node *n = node_first(list); n != NULL; n = n->next) {
		struct choice *k = field_choice_add(f, node_path_str(n, "name"));

		if (k == NULL)
			break;
		copy(k->note, sizeof(k->note), node_path_str(n, "title"));
	}
}

static void
read_versions(struct wizard *w, const struct node *list)
{
	struct form_field *f = &w->where.fields[WHERE_VERSION];
	const char *chosen = NULL;

	if (list == NULL)
		return;
	field_clear_choices(f);
	for (const struct node *n = node_first(list); n != NULL; n = n->next) {
		struct choice *k = field_choice_add(f, node_path_str(n, "version"));

		if (k == NULL)
			break;
		if (node_path_bool(n, "default", false)) {
			chosen = k->value;
			copy(k->note, sizeof(k->note), STR("the cloud's default"));
			if (f->value[0] == '\0')
				field_set(f, str_from(chosen));
		} else if (node_path_bool(n, "preview", false)) {
			copy(k->note, sizeof(k->note), STR("preview: not for production"));
		}
	}
	if (f->value[0] == '\0' && f->nchoices > 0)
		field_set(f, str_from(f->choices[0].value));
}

static void
read_sizes(struct wizard *w, const struct node *list)
{
	struct choices *h = &w->choices;

	if (list == NULL)
		return;
	h->nsizes = 0;
	h->has_sizes = true;
	for (const struct node *n = node_first(list); n != NULL && h->nsizes < WIZARD_MAX_SIZES;
	     n = n->next) {
		struct vm_size *s = &h->sizes[h->nsizes++];

		*s = (struct vm_size){ .gpus = node_path_int(n, "gpus", 0),
			.vcpus = node_path_int(n, "vcpus", 0),
			.rdma = node_path_bool(n, "rdma", false) };
		copy(s->name, sizeof(s->name), node_path_str(n, "name"));
		copy(s->family, sizeof(s->family), node_path_str(n, "family"));
		copy(s->accelerator, sizeof(s->accelerator), node_path_str(n, "accelerator"));
		copy(s->memory, sizeof(s->memory), node_path_str(n, "memory"));
		copy(s->restricted, sizeof(s->restricted), node_path_str(n, "restricted"));
		for (const struct node *z = node_first(node_find(n, "zones"));
		     z != NULL && s->nzones < WIZARD_MAX_ZONES; z = z->next)
			copy(s->zones[s->nzones++], sizeof(s->zones[0]), node_get_str(z));
	}
}

static void
read_quotas(struct wizard *w, const struct node *list)
{
	struct choices *h = &w->choices;

	if (list == NULL)
		return;
	h->nquotas = 0;
	for (const struct node *n = node_first(list); n != NULL && h->nquotas < WIZARD_MAX_QUOTAS;
	     n = n->next) {
		struct quota *q = &h->quotas[h->nquotas++];

		copy(q->family, sizeof(q->family), node_path_str(n, "family"));
		q->used = node_path_int(n, "used", -1);
		q->limit = node_path_int(n, "limit", -1);
	}
}

bool
choices_reply(struct wizard *w, struct console *c, const struct reply *r)
{
	struct choices *h = &w->choices;

	if (h->pending == 0 || r->id != h->pending)
		return false;
	h->pending = 0;
	if (!r->ok) {
		h->err = r->err;
		return true;
	}
	read_configs(w, node_find(r->node, "configs"));
	read_locations(w, node_find(r->node, "locations"));
	read_versions(w, node_find(r->node, "versions"));
	read_sizes(w, node_find(r->node, "sizes"));
	read_quotas(w, node_find(r->node, "quotas"));
	choices_ask(w, c); /* the first answer may have settled what the next is about */
	return true;
}

/* ---- classes and sizes of a pool ---- */

const struct quota *
quota_find(const struct wizard *w, const char *family)
{
	for (size_t i = 0; i < w->choices.nquotas; i++)
		if (str_eq_nocase(str_from(w->choices.quotas[i].family), str_from(family)))
			return &w->choices.quotas[i];
	return NULL;
}

/* "aks-nv36ads-a10-v5": a name for the class that is made from a VM size. */
void
class_name_for(const char *size, char out[FIELD_MAX])
{
	struct str s = str_from(size);
	size_t n = 4;

	if (str_starts(s, STR("Standard_")))
		s = str_sub(s, 9, s.n);
	memcpy(out, "aks-", 4);
	for (size_t i = 0; i < s.n && n < 60; i++) {
		char ch = s.p[i];

		if (ch >= 'A' && ch <= 'Z')
			ch = (char)(ch - 'A' + 'a');
		out[n++] = (ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9') ? ch : '-';
	}
	out[n] = '\0';
}

static const struct fleet_class *
class_find(const struct console *c, struct str name)
{
	for (size_t i = 0; c->fleet != NULL && i < c->fleet->nclasses; i++)
		if (str_eq(c->fleet->classes[i].name, name))
			return &c->fleet->classes[i];
	return NULL;
}

static const struct vm_size *
size_find(const struct wizard *w, struct str name)
{
	for (size_t i = 0; i < w->choices.nsizes; i++)
		if (str_eq_nocase(str_from(w->choices.sizes[i].name), name))
			return &w->choices.sizes[i];
	return NULL;
}

/* "class:NAME" or "size:NAME" to what the cloud says about the machine; NULL when it says nothing.
 */
const struct vm_size *
pool_size(const struct wizard *w, const struct console *c, size_t pool)
{
	const char *value = w->pools[pool].fields[POOL_CLASS].value;
	const struct fleet_class *k;

	if (strncmp(value, "size:", 5) == 0)
		return size_find(w, str_from(value + 5));
	if (strncmp(value, "class:", 6) != 0)
		return NULL;
	k = class_find(c, str_from(value + 6));
	return k != NULL ? size_find(w, k->machine) : NULL;
}

static void
quota_note(const struct wizard *w, const struct vm_size *s, struct text *t)
{
	const struct quota *q = quota_find(w, s->family);

	if (q == NULL || q->limit < 0)
		return;
	text_printf(
	    t, ", quota %lld of %lld", (long long)(q->limit - q->used), (long long)q->limit);
	if (q->limit - q->used < s->vcpus)
		text_add(t, ": too little");
}

static void
add_class(const struct wizard *w, struct form_field *f, const struct fleet_class *k)
{
	const struct vm_size *s = size_find(w, k->machine);
	struct text t = TEXT_INIT(150);
	struct choice *h;

	text_printf(&t, "class:" STR_FMT, STR_ARG(k->name));
	h = field_choice_add(f, text_str(&t));
	text_clear(&t);
	if (h != NULL) {
		copy(h->label, sizeof(h->label), k->name);
		text_printf(&t, "%lld x " STR_FMT " " STR_FMT ", " STR_FMT,
		    (long long)k->gpus_per_node, STR_ARG(k->accelerator), STR_ARG(k->memory),
		    STR_ARG(k->machine));
		if (s != NULL)
			quota_note(w, s, &t);
		copy(h->note, sizeof(h->note), text_str(&t));
		if (w->choices.has_sizes && s == NULL) {
			h->off = true;
			copy(h->note, sizeof(h->note),
			    STR("this location does not offer its machine"));
		} else if (s != NULL && s->restricted[0] != '\0') {
			h->off = true;
			copy(h->note, sizeof(h->note), str_from(s->restricted));
		}
	}
	text_free(&t);
}

static void
add_size(
    const struct wizard *w, const struct console *c, struct form_field *f, const struct vm_size *s)
{
	const struct gpu_fact *g = gpu_fact_find(s);
	struct text t = TEXT_INIT(150);
	struct choice *h;
	char name[FIELD_MAX];

	class_name_for(s->name, name);
	if (class_find(c, str_from(name)) != NULL)
		return; /* made before: it stands among the classes */
	text_printf(&t, "size:%s", s->name);
	h = field_choice_add(f, text_str(&t));
	text_clear(&t);
	if (h != NULL) {
		(void)snprintf(h->label, sizeof(h->label), "new from %s", s->name);
		text_printf(&t, "%lld x %s %s, %lld vCPU", (long long)s->gpus,
		    g != NULL ? g->name : s->accelerator, g != NULL ? g->memory : "",
		    (long long)s->vcpus);
		quota_note(w, s, &t);
		copy(h->note, sizeof(h->note), text_str(&t));
		h->off = s->restricted[0] != '\0' || g == NULL;
		if (s->restricted[0] != '\0')
			copy(h->note, sizeof(h->note), str_from(s->restricted));
		else if (g == NULL)
			copy(h->note, sizeof(h->note),
			    STR("its GPU is not known here: apply an InferenceClass for it"));
	}
	text_free(&t);
}

static void
zones_put(struct wizard *w, const struct console *c, size_t pool)
{
	struct form_field *f = &w->pools[pool].fields[POOL_ZONES];
	const struct vm_size *s = pool_size(w, c, pool);
	bool on[WIZARD_MAX_ZONES] = { false };

	if (s == NULL)
		return;
	for (size_t i = 0; i < s->nzones; i++)
		for (size_t k = 0; k < f->nchoices; k++)
			if (strcmp(f->choices[k].value, s->zones[i]) == 0)
				on[i] = f->choices[k].on;
	field_clear_choices(f);
	for (size_t i = 0; i < s->nzones; i++) {
		struct choice *k = field_choice_add(f, str_from(s->zones[i]));

		if (k != NULL)
			k->on = on[i];
	}
	if (f->caret >= f->nchoices)
		f->caret = 0;
}

void
choices_to_pool(struct wizard *w, const struct console *c, size_t pool)
{
	struct form_field *f = &w->pools[pool].fields[POOL_CLASS];

	field_clear_choices(f);
	for (size_t i = 0; c->fleet != NULL && i < c->fleet->nclasses; i++)
		if (str_is(c->fleet->classes[i].provider, "AKS"))
			add_class(w, f, &c->fleet->classes[i]);
	for (size_t i = 0; i < w->choices.nsizes; i++)
		add_size(w, c, f, &w->choices.sizes[i]);
	zones_put(w, c, pool);
}
