#include "tui/cli/request.h"

#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"

static void
copy_name(char *to, size_t size, struct str from)
{
	size_t n = from.n < size ? from.n : size - 1;

	if (n > 0)
		memcpy(to, from.p, n);
	to[n] = '\0';
}

struct request *
cli_request(enum request_verb verb, const struct target *t, const char *ns)
{
	struct request *r = request_new(verb);

	if (r == NULL)
		return NULL;
	copy_name(r->kind, sizeof r->kind, str_from(t->kind->kind));
	copy_name(r->name, sizeof r->name, t->name);
	copy_name(r->ns, sizeof r->ns, ns != NULL ? str_from(ns) : t->ns);
	r->nodes = r->min = r->max = -1;
	return r;
}

static void
print_reply(const struct target *about, const char *text)
{
	struct text name = TEXT_INIT(1024);

	if (about != NULL) {
		cli_object_name(about->kind, about->name, &name);
		text_add_char(&name, ' ');
		cli_out_clean(text_str(&name));
		text_free(&name);
	}
	if (text != NULL)
		cli_out_clean(str_from(text));
}

int
cli_send(struct request **take, const struct target *about)
{
	struct backend *b = NULL;
	struct reply *reply = NULL;
	struct error err = { 0 };
	int code;

	if (*take == NULL)
		(void)error_set(&err, ERR_NO_MEMORY, "no memory");
	if (*take == NULL || !cli_open(BACKEND_CLIENT, false, &b, &err) ||
	    !backend_call(b, take, &reply, &err)) {
		code = cli_fail(&err);
	} else if (!reply->ok) {
		code = cli_problems(&reply->problems);
		if (code == 0)
			code = cli_fail(&reply->err);
	} else {
		(void)cli_problems(&reply->problems);
		print_reply(about, reply->text);
		code = 0;
	}
	reply_free(reply);
	request_free(*take);
	*take = NULL;
	backend_close(b);
	return code;
}

bool
cli_one_target(const char *verb, const struct words *w, struct target *ret, int *ret_code)
{
	struct target *targets = NULL;
	struct error err = { 0 };
	size_t n = 0;
	bool ok = false;

	if (!cli_targets(w, &targets, &n, &err))
		*ret_code = cli_fail(&err);
	else if (n != 1 || targets[0].name.n == 0)
		*ret_code = cli_usage(verb, "name one object, as in ic/NAME");
	else {
		*ret = targets[0];
		ok = true;
	}
	mem_free(targets);
	return ok;
}
