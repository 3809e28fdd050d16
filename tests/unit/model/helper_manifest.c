#include "helper_manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static char line_buffer[4096];

void
manifest_begin(struct checked *c)
{
	*c = (struct checked){ .arena = arena_new(64 * 1024 * 1024) };
	assert_non_null(c->arena);
	manifest_set_init(&c->set, c->arena);
}

void
manifest_add(struct checked *c, const char *file, const char *yaml)
{
	(void)!manifest_set_add(&c->set, file, str_from(yaml));
}

bool
manifest_check(struct checked *c)
{
	c->ok = manifest_set_check(&c->set, &c->known);
	return c->ok;
}

void
manifest_end(struct checked *c)
{
	arena_free(c->arena);
	*c = (struct checked){ 0 };
}

void
manifest_yaml(struct checked *c, const char *yaml)
{
	manifest_begin(c);
	manifest_add(c, "t.yaml", yaml);
	(void)manifest_check(c);
}

const char *
manifest_line(const struct problem *p)
{
	struct text t = TEXT_INIT(sizeof(line_buffer) - 1);

	problem_format(p, &t);
	(void)snprintf(line_buffer, sizeof(line_buffer), "%s", text_get(&t));
	text_free(&t);
	return line_buffer;
}

const struct problem *
manifest_problem(const struct checked *c, const char *rule, const char *path)
{
	for (size_t i = 0; i < c->set.problems.n; i++) {
		const struct problem *p = &c->set.problems.items[i];

		if (str_is(p->rule, rule) && str_is(p->path, path))
			return p;
	}
	print_message("no problem %s at %s; there are:\n", rule, path);
	for (size_t i = 0; i < c->set.problems.n; i++)
		print_message("  [%.*s] %s\n", STR_ARG(c->set.problems.items[i].rule),
		    manifest_line(&c->set.problems.items[i]));
	return NULL;
}
