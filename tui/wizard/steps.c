/* The forms of the steps: fields, summaries, suggestions. */
#include <stdio.h>
#include <string.h>

#include "tui/text.h"
#include "tui/wizard/wizard_int.h"

static const char *const titles[STEP__MAX] = {
	[STEP_SOURCE] = "Source",
	[STEP_WHERE] = "Where",
	[STEP_POOLS] = "Pools",
	[STEP_LABELS] = "Labels",
	[STEP_NAME] = "Name",
	[STEP_REVIEW] = "Review",
};

const char *
step_title(enum step s)
{
	return titles[s];
}

void
pool_init(struct wizard *w, size_t i)
{
	struct form *f = &w->pools[i];

	form_init(f);
	(void)form_add(f, FIELD_CHOICE, "Class", "");
	(void)form_add(f, FIELD_TEXT, "Name", "a-z 0-9, at most 12");
	(void)form_add(f, FIELD_NUMBER, "Nodes", "to begin with");
	(void)form_add(f, FIELD_NUMBER, "Min", "the autoscaler's floor");
	(void)form_add(f, FIELD_NUMBER, "Max", "its ceiling; both empty: fixed size");
	(void)form_add(f, FIELD_CHECKS, "Zones", "none ticked: anywhere");
	(void)form_add(f, FIELD_CHOICE, "Fabric", "");
	field_set(&f->fields[POOL_NODES], STR("1"));
	f->fields[POOL_MIN].optional = f->fields[POOL_MAX].optional = true;
	(void)field_choice_add(&f->fields[POOL_FABRIC], STR("None"));
	(void)field_choice_add(&f->fields[POOL_FABRIC], STR("InfiniBand"));
	field_set(&f->fields[POOL_FABRIC], STR("None"));
	w->pool_named[i] = w->pool_ranged[i] = false;
}

void
steps_init(struct wizard *w, struct console *c)
{
	struct form_field *d;
	struct choice *k;

	form_init(&w->source);
	d = form_add(&w->source, FIELD_CHOICE, "Source", "where the cluster comes from");
	k = field_choice_add(d, STR("AKS"));
	if (k != NULL)
		(void)snprintf(k->label, sizeof(k->label), "AKS  Azure Kubernetes Service");
	field_set(d, STR("AKS"));
	d = form_add(&w->source, FIELD_CHOICE, "Draft", "enter to continue a kept draft");
	drafts_list(c, d);
	d->hidden = d->nchoices < 2;

	form_init(&w->where);
	(void)form_add(&w->where, FIELD_CHOICE, "Credentials", "");
	(void)form_add(&w->where, FIELD_CHOICE, "Location", "");
	(void)form_add(&w->where, FIELD_CHOICE, "Version", "");

	form_init(&w->labels);
	(void)form_add(&w->labels, FIELD_TEXT, "Labels", "region=eu tier=prod");
	(void)form_add(&w->labels, FIELD_TEXT, "Taints", "key=value:NoSchedule");

	form_init(&w->name);
	(void)form_add(&w->name, FIELD_TEXT, "Name", "of the cluster: a-z 0-9 -, at most 63");
	w->npools = 1;
	pool_init(w, 0);
}

struct form *
step_form(struct wizard *w)
{
	switch (w->step) {
	case STEP_SOURCE:
		return &w->source;
	case STEP_WHERE:
		return &w->where;
	case STEP_POOLS:
		return &w->pools[w->pool];
	case STEP_LABELS:
		return &w->labels;
	case STEP_NAME:
		return &w->name;
	case STEP_REVIEW:
	case STEP__MAX:
		break;
	}
	return NULL;
}

/* ---- summaries ---- */

static void
pools_summary(const struct wizard *w, struct text *out)
{
	for (size_t i = 0; i < w->npools; i++) {
		const struct form_field *f = w->pools[i].fields;

		if (f[POOL_CLASS].value[0] == '\0')
			continue;
		text_printf(out, "%s%s %s x %s", out->n > 0 ? ", " : "", f[POOL_NAME].value,
		    f[POOL_NODES].value, strchr(f[POOL_CLASS].value, ':') + 1);
	}
}

void
step_summary(const struct wizard *w, enum step s, struct text *out)
{
	const struct form_field *where = w->where.fields;

	switch (s) {
	case STEP_SOURCE:
		text_add(out, w->source.fields[SOURCE_SOURCE].value);
		return;
	case STEP_WHERE:
		if (where[WHERE_LOCATION].value[0] == '\0')
			return;
		text_printf(out, "%s, Kubernetes %s, %s", where[WHERE_LOCATION].value,
		    where[WHERE_VERSION].value, where[WHERE_CONFIG].value);
		return;
	case STEP_POOLS:
		pools_summary(w, out);
		return;
	case STEP_LABELS:
		text_printf(out, "%s%s%s", w->labels.fields[LABELS_LABELS].value,
		    w->labels.fields[LABELS_TAINTS].value[0] != '\0' ? "  taints " : "",
		    w->labels.fields[LABELS_TAINTS].value);
		if (out->n == 0)
			text_add(out, "optional");
		return;
	case STEP_NAME:
		text_add(out, w->name.fields[0].value);
		return;
	case STEP_REVIEW:
	case STEP__MAX:
		text_add(out, "plan, then apply");
		return;
	}
}

/* ---- suggestions ---- */

static bool
name_is_taken(const struct console *c, const char *name)
{
	return c->fleet != NULL && fleet_cluster_find(c->fleet, str_from(name)) != NULL;
}

static void
suggest_name(struct wizard *w, const struct console *c)
{
	const char *location = w->where.fields[WHERE_LOCATION].value;
	char name[FIELD_MAX];

	if (w->name_typed || location[0] == '\0')
		return;
	(void)snprintf(name, sizeof(name), "aks-%.40s", location);
	for (int n = 2; n < 100 && name_is_taken(c, name); n++)
		(void)snprintf(name, sizeof(name), "aks-%.40s-%d", location, n);
	field_set(&w->name.fields[0], str_from(name));
}

static bool
pool_name_is_used(const struct wizard *w, size_t but, const char *name)
{
	for (size_t i = 0; i < w->npools; i++)
		if (i != but && strcmp(w->pools[i].fields[POOL_NAME].value, name) == 0)
			return true;
	return false;
}

/* "gpu" and the accelerator, in the letters that a pool on AKS may have. */
static void
suggest_pool_name(struct wizard *w, const struct console *c, size_t i)
{
	const struct vm_size *size = pool_size(w, c, i);
	const struct gpu_fact *gpu = size != NULL ? gpu_fact_find(size) : NULL;
	char base[12] = "gpu";
	char name[24];
	size_t n = 3;

	if (w->pool_named[i] || w->pools[i].fields[POOL_CLASS].value[0] == '\0')
		return;
	for (const char *p = gpu != NULL ? gpu->name : ""; *p != '\0' && n < 9; p++) {
		char ch = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;

		if ((ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9'))
			base[n++] = ch;
	}
	base[n] = '\0';
	(void)snprintf(name, sizeof(name), "%s", base);
	for (int k = 2; k < 10 && pool_name_is_used(w, i, name); k++)
		(void)snprintf(name, sizeof(name), "%s%c%d", base, 'p', k);
	field_set(&w->pools[i].fields[POOL_NAME], str_from(name));
}

/* A floor of one, because AKS cannot bring a GPU pool back from none, and no growth unasked. */
static void
suggest_range(struct wizard *w, size_t i)
{
	struct form_field *f = w->pools[i].fields;

	if (w->pool_ranged[i])
		return;
	field_set(&f[POOL_MIN], STR("1"));
	field_set(&f[POOL_MAX], str_from(f[POOL_NODES].value));
}

static void
class_hint(struct wizard *w, const struct console *c, size_t i)
{
	struct form_field *f = &w->pools[i].fields[POOL_CLASS];
	const struct choice *k = field_chosen(f);

	(void)c;
	(void)snprintf(f->hint, sizeof(f->hint), "%s",
	    k != NULL		      ? k->note
	    : w->choices.pending != 0 ? "asking the cloud ..."
				      : "a class, or a VM size to make one from");
}

/* Chosen from what the cloud offers, or typed while it does not say. */
static void
choice_or_text(const struct wizard *w, struct form_field *f, const char *example)
{
	bool typed = f->nchoices == 0 && w->choices.pending == 0;

	f->type = typed ? FIELD_TEXT : FIELD_CHOICE;
	(void)snprintf(f->hint, sizeof(f->hint), "%s",
	    typed	       ? example
	    : f->nchoices == 0 ? "asking the cloud ..."
			       : "");
}

void
steps_adjust(struct wizard *w, const struct console *c)
{
	choice_or_text(w, &w->where.fields[WHERE_LOCATION], "type it, like westeurope");
	choice_or_text(
	    w, &w->where.fields[WHERE_VERSION], "type it, like 1.35; empty: the default");
	suggest_name(w, c);
	for (size_t i = 0; i < w->npools; i++) {
		struct form *f = &w->pools[i];
		const struct vm_size *size = pool_size(w, c, i);

		choices_to_pool(w, c, i);
		suggest_pool_name(w, c, i);
		suggest_range(w, i);
		class_hint(w, c, i);
		f->fields[POOL_ZONES].hidden = f->fields[POOL_ZONES].nchoices == 0;
		f->fields[POOL_FABRIC].hidden = size != NULL && !size->rdma;
		if (f->fields[POOL_FABRIC].hidden)
			field_set(&f->fields[POOL_FABRIC], STR("None"));
	}
}
