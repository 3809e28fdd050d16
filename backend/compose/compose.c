#include "backend/compose/compose_int.h"

#include <string.h>

#include "backend/runtime/clock.h"
#include "model/base/mem.h"
#include "model/node.h"

/*
 * One pass: load the records, look at everything that exists, then take the step of the matrix for
 * each row: what is wanted forwards, so that a row whose needs were met in this pass goes on in
 * it; what is not wanted any more backwards. Looking comes first because lanes and waits depend on
 * what the others are doing. Nothing is waited for inside a pass: the result says when to come
 * back.
 */

enum { GONE_ROUNDS = 4 };

bool
compose_new(const struct compose_options *opt, struct compose **ret_compose, struct error *err)
{
	struct compose *c = NULL;

	if (opt->nproviders > COMPOSE_MAX_PROVIDERS)
		return error_set(
		    err, ERR_INTERNAL, "more than %d providers", COMPOSE_MAX_PROVIDERS);
	c = mem_new(sizeof(*c));
	if (c == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory for the compose engine");
	pthread_mutex_init(&c->mu, NULL);
	c->store = opt->store;
	c->clock = opt->clock;
	c->epoch = opt->epoch;
	c->installation = mem_dupz(opt->installation);
	for (size_t i = 0; i < opt->nproviders; i++)
		c->providers[i] = opt->providers[i];
	c->nproviders = opt->nproviders;
	if (c->installation == NULL) {
		(void)error_set(err, ERR_NO_MEMORY, "no memory for the compose engine");
		goto fail;
	}
	if (!memo_load(c, err))
		goto fail;
	*ret_compose = c;
	return true;
fail:
	c->nproviders = 0; /* still the caller's */
	compose_free(c);
	return false;
}

void
compose_free(struct compose *c)
{
	if (c == NULL)
		return;
	for (size_t i = 0; i < c->nproviders; i++) {
		if (c->providers[i].free != NULL)
			c->providers[i].free(c->providers[i].state);
	}
	memo_free(c);
	index_free(c);
	pthread_mutex_destroy(&c->mu);
	mem_free(c->installation);
	mem_free(c);
}

const char *
compose_installation(const struct compose *c)
{
	return c->installation;
}

const struct external *
step_peer(const struct step *s, const char *key)
{
	const struct row *r = (const struct row *)s;
	const struct row *peer = row_find(r->pass, str_from(key));

	return peer == NULL ? NULL : &peer->ext;
}

/* ---- the owner ---- */

static bool
read_owner(struct pass *p, struct error *err)
{
	struct node *n = NULL;
	const struct node *notes;

	if (!object_node(p->owner, p->arena, &n, err))
		return false;
	notes = node_path(n, "metadata.annotations");
	p->adopt = str_is(node_get_str(node_find(notes, COMPOSE_ADOPT)), "true");
	p->believe = node_get_str(node_find(notes, COMPOSE_CONFIRM_ABSENCE)).n > 0;
	return true;
}

/* ---- the pass ---- */

static void
look_at_all(struct pass *p)
{
	for (size_t i = 0; i < p->nrows; i++) {
		struct row *r = &p->rows[i];

		if (r->want == WANT_IT && row_exists(r))
			row_observe(r);
	}
}

static bool
drive_wanted(struct pass *p, struct error *err)
{
	for (size_t i = 0; i < p->nrows; i++) {
		if (p->rows[i].want == WANT_IT && !row_drive(&p->rows[i], err))
			return false;
	}
	return true;
}

/* Backwards, again while something came to rest: what it held back may go now. */
static bool
drive_unwanted(struct pass *p, struct error *err)
{
	unsigned before;

	for (int round = 0; round < GONE_ROUNDS; round++) {
		before = p->settled;
		for (size_t i = p->nrows; i-- > 0;) {
			struct row *r = &p->rows[i];

			if (r->want != WANT_GONE || r->ext.spec.phase == EXTERNAL_TOMBSTONE ||
			    (round > 0 && !r->waiting))
				continue;
			r->waiting = false;
			if (!row_drive(r, err))
				return false;
		}
		if (p->settled == before)
			break;
	}
	return true;
}

static void
sessions_close(struct pass *p)
{
	for (size_t i = 0; i < p->c->nproviders; i++) {
		const struct provider *pr = &p->c->providers[i];

		if (p->sessions[i].session != NULL && pr->close != NULL)
			pr->close(pr->state, p->sessions[i].session);
	}
	for (size_t i = 0; i < p->nrows; i++)
		text_free(&p->rows[i].drift);
}

/* ---- the result ---- */

static void
sooner(struct compose_result *ret, int64_t ms)
{
	if (ms > 0 && (ret->next_ms == 0 || ms < ret->next_ms))
		ret->next_ms = ms;
}

static bool
row_is_ready(const struct row *r)
{
	if (r->at_once)
		return true;
	return r->ext.spec.phase == EXTERNAL_READY && r->seen != SEEN_FOREIGN;
}

static void
count(struct compose_result *ret, const struct row *r)
{
	sooner(ret, r->look_ms);
	if (r->want == WANT_GONE) {
		ret->left += r->ext.spec.phase != EXTERNAL_TOMBSTONE || r->stale ? 1 : 0;
		ret->pending += r->seen == SEEN_PENDING ? 1 : 0;
	} else {
		ret->wanted++;
		ret->ready += row_is_ready(r) ? 1 : 0;
		ret->pending += r->seen == SEEN_PENDING ? 1 : 0;
		ret->drifted += r->seen == SEEN_DRIFTED ? 1 : 0;
	}
	if (!r->fault)
		return;
	ret->failed++;
	if (ret->worst.code == ERR_NONE && r->err.code != ERR_NONE) {
		ret->worst = r->err;
		ret->worst_key = r->ext.spec.key;
	}
}

static void
summarise(struct pass *p, struct compose_result *ret)
{
	ret->acted = p->acted;
	ret->externals = arena_array(p->arena, p->nrows + 1, sizeof(*ret->externals));
	for (size_t i = 0; i < p->nrows; i++) {
		count(ret, &p->rows[i]);
		if (ret->externals != NULL)
			ret->externals[ret->nexternals++] = p->rows[i].ext;
	}
	if (p->again)
		ret->next_ms = 1;
}

bool
compose_reconcile(struct compose *c, const struct object *owner, const struct plan *plan,
    struct arena *a, struct compose_result *ret, struct error *err)
{
	struct pass p = { .c = c,
		.owner = owner,
		.plan = plan,
		.arena = a,
		.wall = clock_wall_ms(c->clock),
		.mono = clock_mono_ms(c->clock) };
	struct error ignored = { 0 };
	bool ok = false;

	if (err == NULL)
		err = &ignored;
	*ret = (struct compose_result){ 0 };
	if (!read_owner(&p, err) || !rows_load(&p, err))
		goto out;
	look_at_all(&p);
	if (!drive_wanted(&p, err) || !drive_unwanted(&p, err))
		goto out;
	summarise(&p, ret);
	if (arena_failed(a)) {
		(void)error_set(err, ERR_NO_MEMORY, "no memory for a pass over '" STR_FMT "'",
		    STR_ARG(owner->name));
		goto out;
	}
	if (plan == NULL && ret->left == 0)
		index_forget(c, owner->uid);
	ok = true;
out:
	sessions_close(&p);
	return ok;
}
