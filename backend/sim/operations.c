#include "backend/sim/operations.h"

#include "backend/sim/sim_int.h"
#include "model/json.h"

enum { OP_BLOB = 2600, STUCK_S = 86400 };

struct verb_row {
	const char *name;
	const char *words;
	double seconds;
	op_finish_fn *finish;
};

/* clang-format off */
static const struct verb_row verbs[OP__MAX] = {
	[OP_GROUP_DELETE]      = { "group.delete",    "delete resource group",          20, group_delete_finish },
	[OP_VNET_PUT]          = { "vnet.put",        "put virtual network",             4, vnet_put_finish },
	[OP_VNET_DELETE]       = { "vnet.delete",     "delete virtual network",          8, vnet_delete_finish },
	[OP_SUBNET_DELETE]     = { "subnet.delete",   "delete subnet",                   5, subnet_delete_finish },
	[OP_CLUSTER_CREATE]    = { "cluster.create",  "create managed cluster",        282, cluster_finish },
	[OP_CLUSTER_UPDATE]    = { "cluster.update",  "update managed cluster",         76, cluster_finish },
	[OP_CLUSTER_UPGRADE]   = { "cluster.upgrade", "upgrade managed cluster",       480, cluster_finish },
	[OP_CLUSTER_PATCH]     = { "cluster.patch",   "update managed cluster tags",     5, cluster_finish },
	[OP_CLUSTER_DELETE]    = { "cluster.delete",  "delete managed cluster",        420, cluster_delete_finish },
	[OP_CLUSTER_ABORT]     = { "cluster.abort",   "abort managed cluster",           5, cluster_finish },
	[OP_CLUSTER_STOP]      = { "cluster.stop",    "stop managed cluster",          120, cluster_finish },
	[OP_CLUSTER_START]     = { "cluster.start",   "start managed cluster",         180, cluster_finish },
	[OP_CLUSTER_ROTATE]    = { "cluster.rotate",  "rotate cluster certificates",   600, cluster_finish },
	[OP_POOL_CREATE]       = { "pool.create",     "create agent pool",             200, pool_finish },
	[OP_POOL_UPDATE]       = { "pool.update",     "update agent pool",              76, pool_finish },
	[OP_POOL_SCALE]        = { "pool.scale",      "scale agent pool",              180, pool_finish },
	[OP_POOL_UPGRADE]      = { "pool.upgrade",    "upgrade agent pool",            240, pool_finish },
	[OP_POOL_DELETE]       = { "pool.delete",     "delete agent pool",             180, pool_delete_finish },
	[OP_POOL_ABORT]        = { "pool.abort",      "abort agent pool",                5, pool_finish },
	[OP_PROVIDER_REGISTER] = { "provider.register", "register provider",            20, provider_finish },
	[OP_FEATURE_REGISTER]  = { "feature.register",  "register feature",            300, feature_finish },
};
/* clang-format on */

static const struct verb_row *
verb_find(struct str name)
{
	for (int i = 0; i < OP__MAX; i++) {
		if (str_is(name, verbs[i].name))
			return &verbs[i];
	}
	return NULL;
}

const char *
operation_words(const struct node *op)
{
	const struct verb_row *v = verb_find(node_get_str(node_find(op, "verb")));

	return v != NULL ? v->words : "unknown";
}

/* "&t=..&c=..&s=..&h=..": Azure's URLs are kilobytes long, signed, and must be kept whole. */
static void
url_tail(const struct sim *s, struct str id, struct text *out)
{
	char hash[65];
	struct text seed = TEXT_INIT(512);

	text_add_str(&seed, id);
	text_add(&seed, s->id.token_key);
	sha256_hex(text_str(&seed), hash);
	text_add(out, "&t=639160992000000000&c=MIIHhz_g-A");
	for (size_t n = 0; n + 64 <= OP_BLOB; n += 64)
		text_add(out, hash);
	text_printf(out, "&s=Zk3v%%2B%.16s%%3D%%3D&h=%.24s", hash, hash + 20);
	text_free(&seed);
}

static void
url_write(const struct sim *s, const struct op_start *start, struct str id, const char *what,
    struct text *out)
{
	if (start->provider == NULL) {
		text_printf(out,
		    "%s/subscriptions/%s/operationresults/" STR_FMT "?api-version=2025-04-01",
		    s->arm_url, s->id.subscription, STR_ARG(id));
	} else {
		bool aks = str_is(str_from(start->provider), "Microsoft.ContainerService");

		text_printf(out,
		    "%s/subscriptions/%s/providers/%s/locations/" STR_FMT "/%s/" STR_FMT
		    "?api-version=%s",
		    s->arm_url, s->id.subscription, start->provider, STR_ARG(start->location), what,
		    STR_ARG(id), aks ? "2016-03-30" : "2026-03-01");
	}
	url_tail(s, id, out);
}

static void
retry_after(struct arm_call *c, int seconds)
{
	answer_header(
	    c, "Retry-After", "%d", (int)fault_number(c->s->faults, FAULT_RETRY_AFTER, seconds));
}

static void
headers_write(struct arm_call *c, const struct op_start *start, struct str id, unsigned headers)
{
	struct text url = TEXT_INIT(8192);
	bool aks = start->provider != NULL &&
		   str_is(str_from(start->provider), "Microsoft.ContainerService");

	if (headers & OP_ASYNC) {
		url_write(c->s, start, id, "operations", &url);
		answer_header(c, "Azure-AsyncOperation", "%s", text_get(&url));
		text_clear(&url);
	}
	if (headers & OP_LOCATION) {
		url_write(c->s, start, id, aks ? "operationresults" : "operationResults", &url);
		answer_header(c, "Location", "%s", text_get(&url));
	}
	if (headers != 0)
		retry_after(c, aks ? 15 : start->provider != NULL ? 3 : 10);
	text_free(&url);
}

struct node *
operation_error(struct arm_call *c, const char *code, const char *message, struct node *details)
{
	struct node *e = node_map(c->a);

	node_set_strz(c->a, e, "code", code);
	node_set_strz(c->a, e, "message", message);
	if (details != NULL)
		node_set(c->a, e, "details", details);
	return e;
}

static bool
spoilt_verb(enum op_verb verb)
{
	return verb >= OP_CLUSTER_CREATE && verb <= OP_POOL_DELETE && verb != OP_CLUSTER_ABORT;
}

/* A tenth more or less, always the same for the same id. */
static double
jittered(double seconds, struct str id)
{
	unsigned h = 0;

	for (size_t i = 0; i < id.n; i++)
		h = h * 31 + (unsigned char)id.p[i];
	return seconds * (0.9 + 0.2 * (double)(h % 1000) / 1000.0);
}

/* failas.CODE: the operation ends with that code, or without an error at all for "none". */
static struct node *
fault_outcome(struct arm_call *c, const char *verb, struct str target)
{
	const struct fault_setting *s = fault_first(c->s->faults, FAULT_FAIL_AS);

	if (s == NULL || !fault_hits(c->s->faults, FAULT_FAIL_AS, str_from(verb), target))
		return NULL;
	if (str_is(str_from(s->key), "none"))
		return node_map(c->a);
	return operation_error(c, s->key, "The operation has been failed by the simulator.", NULL);
}

struct str
operation_start(struct arm_call *c, const struct op_start *start, unsigned headers)
{
	const struct verb_row *v = &verbs[start->verb];
	struct str id = guid_new(c);
	double seconds = jittered(start->seconds > 0 ? start->seconds : v->seconds, id);
	struct node *op = node_map(c->a);
	struct node *outcome = start->outcome;
	int64_t due;

	if (spoilt_verb(start->verb) &&
	    fault_hits(c->s->faults, FAULT_OPERATION_STUCK, str_from(v->name), start->target))
		seconds = STUCK_S;
	if (outcome == NULL && spoilt_verb(start->verb))
		outcome = fault_outcome(c, v->name, start->target);
	if (outcome == NULL && spoilt_verb(start->verb) &&
	    fault_hits(c->s->faults, FAULT_OPERATION_FAIL, str_from(v->name), start->target))
		outcome = operation_error(c, "InternalOperationError",
		    "Internal server error. The operation has been failed by the simulator.", NULL);
	due = c->now_ms + (int64_t)(seconds * 1000);
	node_set(c->a, op, "id", node_str(c->a, id));
	node_set_strz(c->a, op, "verb", v->name);
	node_set(c->a, op, "target", node_str(c->a, start->target));
	node_set_int(c->a, op, "startMs", c->now_ms);
	node_set_int(c->a, op, "dueMs", due);
	node_set_strz(c->a, op, "status", "InProgress");
	if (outcome != NULL)
		node_set(c->a, op, "outcome", outcome);
	(void)doc_save(c, DOC_OPERATION, doc_key(c, "r/" STR_FMT, STR_ARG(id)), op);
	if (due < c->s->next_due_ms)
		c->s->next_due_ms = due;
	if (!(headers & OP_ASYNC) || start->verb >= OP_PROVIDER_REGISTER ||
	    !fault_hits(c->s->faults, FAULT_ARM_NO_OPERATION_URL, c->req->method, c->req->path))
		headers_write(c, start, id, headers);
	return id;
}

struct node *
operation_running(struct arm_call *c, struct str id)
{
	if (id.n == 0)
		return NULL;
	return doc_load(c, DOC_OPERATION, doc_key(c, "r/" STR_FMT, STR_ARG(id)));
}

static void
operation_close(struct arm_call *c, struct node *op, const char *status, struct node *failure)
{
	struct str id = node_get_str(node_find(op, "id"));

	node_set_strz(c->a, op, "status", status);
	node_set_int(c->a, op, "endMs", c->now_ms);
	if (node_count(failure) > 0)
		node_set(c->a, op, "error", node_dup(c->a, failure));
	(void)doc_drop(c, DOC_OPERATION, doc_key(c, "r/" STR_FMT, STR_ARG(id)));
	(void)doc_save(c, DOC_OPERATION, doc_key(c, "d/" STR_FMT, STR_ARG(id)), op);
}

void
operation_end(
    struct arm_call *c, struct str id, const char *status, const char *code, const char *message)
{
	struct node *op = operation_running(c, id);

	if (op != NULL)
		operation_close(c, op, status, operation_error(c, code, message, NULL));
}

void
nothing_finish(
    struct arm_call *c, struct str target, const struct node *op, const struct node *failure)
{
	(void)c;
	(void)target;
	(void)op;
	(void)failure;
}

static void
operation_finish(struct arm_call *c, struct node *op)
{
	const struct verb_row *v = verb_find(node_get_str(node_find(op, "verb")));
	struct node *failure = node_find(op, "outcome");

	operation_close(c, op, failure != NULL ? "Failed" : "Succeeded", failure);
	if (v != NULL)
		v->finish(c, node_get_str(node_find(op, "target")), op, failure);
}

/* The running operation that is due first, by the time it ends; NULL when none is due. */
static struct node *
due_first(struct arm_call *c, int64_t *ret_next)
{
	struct node *list = doc_list(c, DOC_OPERATION, STR("r/"));
	struct node *best = NULL;
	int64_t first = INT64_MAX;

	for (struct node *op = node_first(list); op != NULL; op = op->next) {
		int64_t due = node_get_int(node_find(op, "dueMs"), 0);

		if (due < first) {
			first = due;
			best = op;
		}
	}
	*ret_next = first;
	return first <= c->now_ms ? best : NULL;
}

static void late_run(struct sim *s, int64_t now_ms);

void
operations_advance(struct sim *s)
{
	static const struct arm_request nothing = { 0 };
	int64_t now = sim_now(s);

	late_run(s, now);
	while (now >= s->next_due_ms) {
		struct arm_answer ret = { .body = TEXT_INIT(ARM_ARENA_MAX),
			.headers = TEXT_INIT((size_t)64 * 1024) };
		struct arm_call c = { .s = s, .req = &nothing, .ret = &ret, .now_ms = now };
		struct node *op = NULL;

		c.a = arena_new(ARM_ARENA_MAX);
		if (c.a == NULL || !state_begin(s->state, NULL)) {
			arena_free(c.a);
			return;
		}
		op = due_first(&c, &s->next_due_ms);
		if (op != NULL)
			operation_finish(&c, op);
		/* The rest is found in the next round, or by a later call. */
		if (!state_end(s->state, !arm_failed(&c), NULL))
			op = NULL;
		if (op == NULL || arm_failed(&c))
			pool_index_forget(s); /* what was written may not be there */
		arm_answer_fini(&ret);
		arena_free(c.a);
		if (op == NULL)
			return;
		sim_wake(s);
	}
}

/* Whether the URL came back as it was given out. */
static bool
url_is_whole(struct arm_call *c, struct str id)
{
	struct text tail = TEXT_INIT(8192);
	bool ok;

	url_tail(c->s, id, &tail);
	ok = str_find(c->req->query, text_str(&tail)) >= 0;
	text_free(&tail);
	return ok;
}

static struct node *
operation_find(struct arm_call *c, struct str id)
{
	struct node *op = operation_running(c, id);

	if (op == NULL)
		op = doc_load(c, DOC_OPERATION, doc_key(c, "d/" STR_FMT, STR_ARG(id)));
	if (op == NULL || !url_is_whole(c, id) ||
	    fault_hits(c->s->faults, FAULT_OPERATION_GONE, c->req->method, c->req->path)) {
		answer_error(c, 404, "NotFound", "The operation was not found.");
		return NULL;
	}
	return op;
}

/* Which operation, and when: the form of AKS. The network provider says the status alone. */
static void
times_write(struct arm_call *c, const struct node *op, bool running, struct node *n)
{
	struct text t = TEXT_INIT(64);

	node_set(c->a, n, "name", node_str(c->a, c->param[2]));
	simtime_add_fine(&t, node_get_int(node_find(op, "startMs"), 0));
	node_set_strz(c->a, n, "startTime", text_get(&t));
	if (!running) {
		text_clear(&t);
		simtime_add_fine(&t, node_get_int(node_find(op, "endMs"), 0));
		node_set_strz(c->a, n, "endTime", text_get(&t));
	}
	text_free(&t);
}

void
operation_get(struct arm_call *c)
{
	struct node *op = operation_find(c, c->param[2]);
	struct node *n = node_map(c->a);
	bool aks = str_find(c->req->path, STR("ContainerService")) >= 0;
	bool running;

	if (op == NULL)
		return;
	running = str_is(node_get_str(node_find(op, "status")), "InProgress");
	if (node_find(op, "error") != NULL)
		node_set(c->a, n, "error", node_dup(c->a, node_find(op, "error")));
	if (aks)
		times_write(c, op, running, n);
	node_set(c->a, n, "status", node_dup(c->a, node_find(op, "status")));
	if (running)
		retry_after(c, aks ? 15 : 3);
	answer_json(c, 200, n);
}

void
operation_result_get(struct arm_call *c)
{
	struct str id = c->param[2].n > 0 ? c->param[2] : c->param[1];
	struct node *op = operation_find(c, id);
	struct str status;

	if (op == NULL)
		return;
	status = node_get_str(node_find(op, "status"));
	if (str_is(status, "InProgress")) {
		answer_header(c, "Location", "%s" STR_FMT "?" STR_FMT, c->s->arm_url,
		    STR_ARG(c->req->path), STR_ARG(c->req->query));
		retry_after(c, c->param[2].n > 0 ? 5 : 15);
		answer_empty(c, 202);
	} else if (str_is(status, "Succeeded")) {
		if (c->param[2].n > 0) /* a fresh Location even at the end, as recorded */
			answer_header(c, "Location", "%s" STR_FMT "?" STR_FMT, c->s->arm_url,
			    STR_ARG(c->req->path), STR_ARG(c->req->query));
		answer_empty(c, c->param[2].n > 0 ? 204 : 200);
	} else {
		struct node *n = node_map(c->a);

		node_set(c->a, n, "error", node_dup(c->a, node_find(op, "error")));
		answer_json(c, 409, n);
	}
}

/* ---- requests that are done later ---- */

enum { LATE_MS = 60000 };

struct late_request {
	struct late_request *next;
	int64_t due_ms;
	struct arena *a; /* holds this and what it points to */
	struct arm_request req;
	struct str principal;
};

void
late_put(struct sim *s, const struct arm_request *req, struct str principal)
{
	struct arena *a = arena_new((size_t)2 * ARM_BODY_MAX);
	struct late_request *l = a != NULL ? arena_get(a, sizeof(*l)) : NULL;
	struct late_request **at;

	if (l == NULL) {
		arena_free(a);
		return;
	}
	l->a = a;
	l->due_ms = sim_now(s) + LATE_MS;
	l->principal = str_copy(a, principal);
	l->req = (struct arm_request){
		.method = str_copy(a, req->method),
		.path = str_copy(a, req->path),
		.query = str_copy(a, req->query),
		.if_match = str_copy(a, req->if_match),
		.if_none_match = str_copy(a, req->if_none_match),
		.content_type = str_copy(a, req->content_type),
		.client_request_id = str_copy(a, req->client_request_id),
		.body = str_copy(a, req->body),
		.connection = req->connection,
	};
	if (arena_failed(a)) {
		arena_free(a);
		return;
	}
	(void)pthread_mutex_lock(&s->arm_lock);
	for (at = &s->late; *at != NULL; at = &(*at)->next)
		;
	*at = l;
	(void)pthread_mutex_unlock(&s->arm_lock);
	sim_wake(s);
}

static void
late_do(struct sim *s, struct late_request *l, int64_t now_ms)
{
	struct arm_answer ret = { .body = TEXT_INIT(ARM_ARENA_MAX),
		.headers = TEXT_INIT((size_t)64 * 1024) };
	struct arm_call c = { .s = s, .req = &l->req, .ret = &ret, .now_ms = now_ms };
	struct ledger_row row;
	bool known;

	c.a = arena_new(ARM_ARENA_MAX);
	if (c.a == NULL)
		return;
	c.principal = l->principal;
	c.api_version = arm_query(&c, "api-version");
	c.route = arm_route_find(l->req.method, l->req.path, c.param, &known);
	if (c.route != NULL && state_begin(s->state, NULL)) {
		c.route->handle(&c);
		if (!state_end(s->state, ret.status < 500, NULL) || ret.status >= 500) {
			c.applied = false; /* nobody waits for an answer */
			pool_index_forget(s);
		}
	}
	row = (struct ledger_row){ .at_ms = now_ms,
		.service = "arm",
		.method = l->req.method,
		.path = l->req.path,
		.query = l->req.query,
		.api_version = c.api_version,
		.acting = true,
		.applied = c.applied,
		.who = l->principal,
		.connection = l->req.connection,
		.client_request_id = l->req.client_request_id,
		.body = l->req.body,
		.fault = "arm.late applied" };
	ledger_add(s->ledger, &row);
	arm_answer_fini(&ret);
	arena_free(c.a);
}

static void
late_run(struct sim *s, int64_t now_ms)
{
	while (s->late != NULL && s->late->due_ms <= now_ms) {
		struct late_request *l = s->late;

		s->late = l->next;
		late_do(s, l, now_ms);
		arena_free(l->a);
	}
}

void
late_free(struct sim *s)
{
	while (s->late != NULL) {
		struct late_request *l = s->late;

		s->late = l->next;
		arena_free(l->a);
	}
}
