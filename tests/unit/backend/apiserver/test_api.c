#include "tests/unit/backend/apiserver/rig.h"

#define CLUSTERS "/apis/modelplane.ai/v1alpha1/inferenceclusters"
#define CMS	 "/api/v1/namespaces/default/configmaps"
#define TABLE	 "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"
#define MERGE	 "application/merge-patch+json"
#define APPLY	 "application/apply-patch+yaml"

static struct rig rig;
static struct arena *arena;

static int
start(void **state UNUSED)
{
	rig_start(&rig, false, NULL);
	arena = arena_new(256 * 1024 * 1024);
	return 0;
}

static int
stop(void **state UNUSED)
{
	arena_free(arena);
	rig_stop(&rig);
	return 0;
}

static struct node *
ask(int status, const char *method, const char *path, const char *body)
{
	struct rig_call c = { "admin", method, path, NULL, NULL, body };

	return rig_ask(&rig, arena, status, &c);
}

static struct node *
patch(int status, const char *path, const char *type, const char *body)
{
	struct rig_call c = { "admin", "PATCH", path, NULL, type, body };

	return rig_ask(&rig, arena, status, &c);
}

static void
is(const struct node *n, const char *path, const char *want)
{
	struct str got = node_path_str(n, path);

	if (!str_is(got, want))
		fail_msg("%s is '" STR_FMT "', not '%s'", path, STR_ARG(got), want);
}

static void
an_object_lives(void **state UNUSED)
{
	struct node *n = ask(201, "POST", CMS,
	    "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
	    "\"metadata\":{\"name\":\"a\"},\"data\":{\"k\":\"v\"}}");

	is(n, "metadata.namespace", "default");
	assert_true(node_path_str(n, "metadata.uid").n == 36);
	is(ask(200, "GET", CMS "/a", NULL), "data.k", "v");
	n = ask(409, "POST", CMS,
	    "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
	    "\"metadata\":{\"name\":\"a\"}}");
	is(n, "reason", "AlreadyExists");
	is(n, "message", "configmaps \"a\" already exists");
	is(n, "details.kind", "configmaps");
	n = patch(200, CMS "/a", MERGE, "{\"data\":{\"k\":null,\"l\":\"w\"}}");
	assert_null(node_path(n, "data.k"));
	is(n, "data.l", "w");
	n = ask(200, "DELETE", CMS "/a", "{\"propagationPolicy\":\"Background\"}");
	is(n, "kind", "Status");
	is(n, "status", "Success");
	is(n, "details.name", "a");
	n = ask(404, "GET", CMS "/a", NULL);
	is(n, "message", "configmaps \"a\" not found");
	is(n, "reason", "NotFound");
	is(n, "details.name", "a");
	assert_int_equal(node_path_int(n, "code", 0), 404);
}

static void
finalizers_keep_a_deleted_object(void **state UNUSED)
{
	(void)ask(201, "POST", CMS,
	    "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
	    "\"metadata\":{\"name\":\"f\",\"finalizers\":[\"x.io/f\"]}}");
	struct node *n = ask(200, "DELETE", CMS "/f", NULL);

	is(n, "kind", "ConfigMap");
	assert_true(node_path_str(n, "metadata.deletionTimestamp").n > 0);
	n = patch(422, CMS "/f", MERGE, "{\"metadata\":{\"finalizers\":[\"x.io/f\",\"y.io/g\"]}}");
	is(n, "reason", "Invalid");
	(void)patch(200, CMS "/f", MERGE, "{\"metadata\":{\"finalizers\":null}}");
	(void)ask(404, "GET", CMS "/f", NULL);
}

static void
stale_writes_conflict(void **state UNUSED)
{
	struct node *n = ask(201, "POST", CMS,
	    "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
	    "\"metadata\":{\"name\":\"c\"},\"data\":{\"k\":\"1\"}}");
	char *body = arena_printf(arena,
	    "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":"
	    "{\"name\":\"c\",\"resourceVersion\":\"" STR_FMT "\"},\"data\":{\"k\":\"2\"}}",
	    STR_ARG(node_path_str(n, "metadata.resourceVersion")));

	(void)ask(200, "PUT", CMS "/c", body);
	n = ask(409, "PUT", CMS "/c", body);
	is(n, "reason", "Conflict");
	is(n, "message",
	    "Operation cannot be fulfilled on configmaps \"c\": the object has been "
	    "modified; please apply your changes to the latest version and try again");
	n = ask(409, "DELETE", CMS "/c", "{\"preconditions\":{\"uid\":\"no\"}}");
	is(n, "details.kind", "ConfigMap");
	(void)ask(200, "DELETE", CMS "/c", NULL);
}

static void
apply_conflicts_name_each_field(void **state UNUSED)
{
	const char *one = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"data\":{\"k\":\"1\"}}";
	const char *two = "apiVersion: v1\nkind: ConfigMap\ndata: {k: '2'}\n";

	(void)patch(201, CMS "/s?fieldManager=m1", APPLY, one);
	(void)patch(200, CMS "/s?fieldManager=m1", APPLY, one);
	struct node *n = patch(409, CMS "/s?fieldManager=m2", APPLY, two);

	is(n, "message", "Apply failed with 1 conflict: conflict with \"m1\": .data.k");
	is(n, "details.causes[0].reason", "FieldManagerConflict");
	is(n, "details.causes[0].message", "conflict with \"m1\"");
	is(n, "details.causes[0].field", ".data.k");
	n = patch(200, CMS "/s?fieldManager=m2&force=true", APPLY, two);
	is(n, "data.k", "2");
	(void)patch(422, CMS "/s", APPLY, one);
	(void)patch(400, CMS "/s?fieldManager=m1", APPLY, "{}");
	(void)patch(422, CMS "/s?force=true", MERGE, "{}");
	(void)ask(200, "DELETE", CMS "/s", NULL);
}

static void
patches_of_all_kinds(void **state UNUSED)
{
	(void)ask(201, "POST", CMS,
	    "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
	    "\"metadata\":{\"name\":\"p\"},\"data\":{\"k\":\"1\"}}");
	struct node *n = patch(200, CMS "/p", "application/json-patch+json",
	    "[{\"op\":\"test\",\"path\":\"/data/k\",\"value\":\"1\"},"
	    "{\"op\":\"add\",\"path\":\"/data/a~1b\",\"value\":\"2\"}]");

	assert_true(str_is(node_get_str(node_find(node_find(n, "data"), "a/b")), "2"));
	n = patch(422, CMS "/p", "application/json-patch+json",
	    "[{\"op\":\"test\",\"path\":\"/data/k\",\"value\":\"9\"}]");
	is(n, "message", "the server rejected our request due to an error in our request");
	(void)patch(
	    200, CMS "/p", "application/strategic-merge-patch+json", "{\"data\":{\"z\":\"3\"}}");
	(void)patch(415, CMS "/p", "application/json", "{}");
	(void)patch(404, CMS "/none", MERGE, "{}");
	(void)ask(200, "DELETE", CMS "/p", NULL);
}

static void
pages_follow_each_other(void **state UNUSED)
{
	for (int i = 0; i < 7; i++)
		(void)ask(201, "POST", CMS,
		    arena_printf(arena,
			"{\"apiVersion\":\"v1\",\"kind\":"
			"\"ConfigMap\",\"metadata\":{\"name\":\"page-%d\",\"labels\":{\"t\":"
			"\"page\"}}}",
			i));
	char *path = arena_printf(arena, "%s", CMS "?labelSelector=t%3Dpage&limit=3");
	size_t seen = 0;
	int pages = 0;

	for (; path != NULL && pages < 10; pages++) {
		struct node *n = ask(200, "GET", path, NULL);
		struct str next = node_path_str(n, "metadata.continue");

		seen += node_count(node_find(n, "items"));
		path = next.n == 0
			   ? NULL
			   : arena_printf(arena, "%s" STR_FMT,
				 CMS "?labelSelector=t%3Dpage&limit=3&continue=", STR_ARG(next));
	}
	assert_int_equal(seen, 7);
	assert_int_equal(pages, 3);
	is(ask(400, "GET", CMS "?limit=abc", NULL), "reason", "BadRequest");
	is(ask(400, "GET", CMS "?labelSelector=%3D%3D", NULL), "reason", "BadRequest");
	struct node *n = ask(200, "DELETE", CMS "?labelSelector=t%3Dpage", NULL);

	assert_int_equal(node_count(node_find(n, "items")), 7);
	n = ask(200, "GET", CMS "?labelSelector=t%3Dpage", NULL);
	assert_int_equal(node_count(node_find(n, "items")), 0);
	assert_int_equal(node_find(n, "items")->type, NODE_LIST);
}

static void
tables_show_columns(void **state UNUSED)
{
	struct rig_call c = { "admin", "GET", "/api/v1/nodes", TABLE, NULL, NULL };

	(void)ask(201, "POST", "/api/v1/nodes",
	    "{\"apiVersion\":\"v1\",\"kind\":\"Node\","
	    "\"metadata\":{\"name\":\"n1\",\"labels\":{\"node-role.kubernetes.io/gpu\":\"\"}},"
	    "\"status\":{\"phase\":\"dropped\"}}");
	(void)patch(200, "/api/v1/nodes/n1/status", MERGE,
	    "{\"status\":{\"conditions\":[{\"type\":"
	    "\"Ready\",\"status\":\"True\"}],\"nodeInfo\":{\"kubeletVersion\":\"v1.33.1\"}}}");
	struct node *n = rig_ask(&rig, arena, 200, &c);

	is(n, "kind", "Table");
	is(n, "columnDefinitions[0].format", "name");
	is(n, "columnDefinitions[1].name", "Status");
	is(n, "rows[0].cells[0]", "n1");
	is(n, "rows[0].cells[1]", "Ready");
	is(n, "rows[0].cells[2]", "gpu");
	is(n, "rows[0].cells[4]", "v1.33.1");
	is(n, "rows[0].object.kind", "PartialObjectMetadata");
	assert_null(node_path(ask(200, "GET", "/api/v1/nodes/n1", NULL), "status.phase"));
	c.path = "/api/v1/nodes?includeObject=Object";
	is(rig_ask(&rig, arena, 200, &c), "rows[0].object.kind", "Node");
	c.path = "/api/v1/nodes?includeObject=Bad";
	(void)rig_ask(&rig, arena, 400, &c);
	(void)ask(200, "DELETE", "/api/v1/nodes/n1", NULL);
}

static void
the_main_path_leaves_status_alone(void **state UNUSED)
{
	struct node *n = ask(201, "POST", "/api/v1/nodes",
	    "{\"apiVersion\":\"v1\",\"kind\":\"Node\","
	    "\"metadata\":{\"name\":\"n2\"}}");

	(void)patch(200, "/api/v1/nodes/n2/status", MERGE,
	    "{\"status\":{\"phase\":\"up\"},\"spec\":{\"unschedulable\":true}}");
	n = patch(200, "/api/v1/nodes/n2", MERGE,
	    "{\"status\":{\"phase\":\"down\"},\"spec\":{\"providerID\":\"x\"}}");
	is(n, "status.phase", "up");
	is(n, "spec.providerID", "x");
	assert_null(node_path(n, "spec.unschedulable"));
	(void)ask(200, "DELETE", "/api/v1/nodes/n2", NULL);
}

static void
discovery_has_both_forms(void **state UNUSED)
{
	struct rig_call c = { "admin", "GET", "/apis",
		"application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", NULL,
		NULL };
	struct http_response r;
	struct node *n = rig_ask(&rig, arena, 200, &c);

	is(n, "kind", "APIGroupDiscoveryList");
	assert_true(node_count(node_find(n, "items")) > 5);
	assert_int_equal(rig_send(&rig, &c, &r), 200);
	assert_true(
	    str_find(http_response_header(&r, "content-type"), STR("APIGroupDiscoveryList")) > 0);
	char *etag = arena_dup(
	    arena, http_response_header(&r, "etag").p, http_response_header(&r, "etag").n);

	http_response_fini(&r);
	struct http_header h[] = { { "Accept", str_from(c.accept) },
		{ "If-None-Match", str_from(etag) } };
	char url[128];
	struct http_request req = {
		.method = "GET", .url = url, .headers = h, .nheaders = 2, .bearer = STR("admin")
	};
	struct error err = { 0 };

	(void)snprintf(url, sizeof(url), "%s/apis", rig.url);
	rig_must(http_send(rig.client, &req, &r, &err), &err);
	assert_int_equal(r.status, 304);
	http_response_fini(&r);
	is(ask(200, "GET", "/apis", NULL), "kind", "APIGroupList");
	is(ask(200, "GET", "/api", NULL), "versions[0]", "v1");
	is(ask(200, "GET", "/apis/batch/v1", NULL), "resources[0].name", "jobs");
	is(ask(200, "GET", "/version", NULL), "minor", "34");
	is(ask(200, "GET", "/version", NULL), "gitVersion", "v1.34.4");
}

static void
what_is_not_there_is_404(void **state UNUSED)
{
	static const char *const paths[] = { "/", "/nope", "/apis/none.io/v1", "/api/v1/nope",
		"/apis/none.io/v1/things", "/api/v1/namespaces/x/nodes", "/openapi/v2",
		"/api/v1//nodes", "/apis/batch/v1/namespaces/a/jobs/b/c/d", "/flightdeck/watch" };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		struct rig_call c = { "admin", "GET", paths[i], NULL, NULL, NULL };
		struct http_response r;
		int got = rig_send(&rig, &c, &r);

		if (got != 404)
			fail_msg("%s: %d", paths[i], got);
		http_response_fini(&r);
	}
}

static void
roles_decide(void **state UNUSED)
{
	static const struct {
		const char *token, *method, *path, *body;
		int status;
	} rows[] = {
		{ NULL, "GET", "/version", NULL, 200 },
		{ NULL, "GET", CMS, NULL, 401 },
		{ "wrong", "GET", CMS, NULL, 401 },
		{ "view", "GET", CMS, NULL, 200 },
		{ "view", "POST", CMS, "{}", 403 },
		{ "view", "DELETE", CMS "/x", NULL, 403 },
		{ "view", "PATCH", CMS "/x", "{}", 403 },
		{ "view", "DELETE", CMS, NULL, 403 },
		{ "operate", "DELETE", CMS "/x", NULL, 404 },
		{ "operate", "POST", "/api/v1/namespaces/default/secrets", "{}", 403 },
		{ "operate", "DELETE", "/api/v1/namespaces/default/secrets/s", NULL, 403 },
		{ "admin", "DELETE", "/api/v1/namespaces/default/secrets/s", NULL, 404 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct rig_call c = { rows[i].token, rows[i].method, rows[i].path, NULL, NULL,
			rows[i].body };
		struct http_response r;
		int got = rig_send(&rig, &c, &r);

		if (got != rows[i].status)
			fail_msg("row %zu: %d", i, got);
		http_response_fini(&r);
	}
}

static void
secrets_are_masked(void **state UNUSED)
{
	const char *path = "/api/v1/namespaces/default/secrets/s";
	struct rig_call view = { "view", "GET", path, NULL, NULL, NULL };
	struct rig_call list = { "operate", "GET", "/api/v1/secrets", NULL, NULL, NULL };
	struct rig_call table = { "view", "GET", "/api/v1/secrets?includeObject=Object", TABLE,
		NULL, NULL };
	struct rig_call watch = { "view", "GET", "/api/v1/secrets?watch=1&timeoutSeconds=1", NULL,
		NULL, NULL };
	const struct rig_call *hidden[] = { &view, &list, &table, &watch };

	(void)ask(201, "POST", "/api/v1/namespaces/default/secrets",
	    "{\"apiVersion\":\"v1\",\"kind\":"
	    "\"Secret\",\"metadata\":{\"name\":\"s\",\"annotations\":{\"kubectl.kubernetes.io/"
	    "last-applied-configuration\":\"hunter2\"}},\"stringData\":{\"p\":\"hunter2\"}}");
	is(ask(200, "GET", path, NULL), "data.p", "aHVudGVyMg==");
	for (size_t i = 0; i < ARRAY_LEN(hidden); i++) {
		struct http_response r;

		assert_int_equal(rig_send(&rig, hidden[i], &r), 200);
		if (str_find(text_str(&r.body), STR("aHVudGVyMg")) >= 0 ||
		    str_find(text_str(&r.body), STR("hunter2")) >= 0)
			fail_msg("form %zu shows it", i);
		assert_true(str_find(text_str(&r.body), STR("\"s\"")) > 0);
		http_response_fini(&r);
	}
	(void)ask(200, "DELETE", path, NULL);
}

static void
reviews_answer_protobuf_and_json(void **state UNUSED)
{
	/* the envelope of a SelfSubjectAccessReview: delete secrets */
	static const char spec[] = "\x12\x13\x0a\x11\x12\x06"
				   "delete"
				   "\x2a\x07"
				   "secrets";
	static const char head[] = "k8s\0\x0a\x36\x0a\x17"
				   "authorization.k8s.io/v1"
				   "\x12\x17"
				   "SelfSubjectAccessReview"
				   "\x12\x15";
	struct text body = TEXT_INIT(1024);
	char url[128];
	struct http_request req = {
		.method = "POST", .url = url, .content_type = "application/vnd.kubernetes.protobuf"
	};
	struct http_response r;
	struct error err = { 0 };

	text_add_str(&body, (struct str){ head, sizeof(head) - 1 });
	body.p[5] = (char)(2 + 23 + 2 + 23);
	text_add_str(&body, (struct str){ spec, sizeof(spec) - 1 });
	req.body = text_str(&body);
	(void)snprintf(
	    url, sizeof(url), "%s/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", rig.url);
	for (int admin = 0; admin < 2; admin++) {
		struct node *n = NULL;

		req.bearer = admin ? STR("admin") : STR("operate");
		rig_must(http_send(rig.client, &req, &r, &err), &err);
		if (r.status != 201)
			fail_msg("%d: %s", r.status, text_get(&r.body));
		rig_must(json_parse(arena, text_str(&r.body), &n, &err), &err);
		assert_int_equal(node_path_bool(n, "status.allowed", !admin), admin);
		is(n, "spec.resourceAttributes.resource", "secrets");
		http_response_fini(&r);
	}
	text_free(&body);
	struct node *n = ask(201, "POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
	    "{\"spec\":{\"namespace\":\"default\"}}");

	is(n, "status.resourceRules[0].verbs[0]", "*");
	is(ask(201, "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}"),
	    "status.userInfo.username", "admin");
	(void)ask(
	    422, "POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "{\"spec\":{}}");
}

static void
bad_requests_say_what_is_wrong(void **state UNUSED)
{
	static const struct {
		const char *body;
		int status;
		const char *part;
	} rows[] = {
		{ "{", 400, "couldn't get version/kind" },
		{ "{}", 400, "Object 'Kind' is missing" },
		{ "[]", 400, "Object 'Kind' is missing" },
		{ "{\"apiVersion\":\"v2\",\"kind\":\"ConfigMap\"}", 400,
		    "does not match the expected" },
		{ "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}", 400,
		    "does not match the expected kind" },
		{ "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\","
		  "\"namespace\":\"other\"}}",
		    400, "namespace of the provided object" },
		{ "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\"}", 422, "name or generateName" },
		{ "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\","
		  "\"resourceVersion\":\"1\"}}",
		    500, "resourceVersion should not be set" },
		{ "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a/b\"}}",
		    422, "is invalid" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct rig_call c = { "admin", "POST", CMS, NULL, NULL, rows[i].body };
		struct http_response r;

		if (rig_send(&rig, &c, &r) != rows[i].status ||
		    str_find(text_str(&r.body), str_from(rows[i].part)) < 0)
			fail_msg("row %zu: %d %s", i, r.status, text_get(&r.body));
		http_response_fini(&r);
	}
	(void)ask(422, "POST", CMS "?dryRun=Some", "{}");
	(void)ask(422, "POST", CMS "?fieldValidation=Some", "{}");
	(void)ask(405, "PUT", CMS, "{}");
	struct rig_call proto = { "admin", "GET", CMS, "application/vnd.kubernetes.protobuf", NULL,
		NULL };
	struct http_response r;

	assert_int_equal(rig_send(&rig, &proto, &r), 406);
	http_response_fini(&r);
}

static void
dry_run_stores_nothing(void **state UNUSED)
{
	(void)ask(201, "POST", CMS "?dryRun=All",
	    "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
	    "\"metadata\":{\"name\":\"dry\"}}");
	(void)ask(404, "GET", CMS "/dry", NULL);
	(void)ask(201, "POST", CMS,
	    "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
	    "\"metadata\":{\"name\":\"dry\"}}");
	(void)ask(200, "DELETE", CMS "/dry", "{\"dryRun\":[\"All\"]}");
	(void)ask(200, "GET", CMS "/dry", NULL);
	(void)ask(200, "DELETE", CMS "/dry", NULL);
}

static void
a_definition_is_served_at_once(void **state UNUSED)
{
	(void)ask(201, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
	    "{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"CustomResourceDefinition\","
	    "\"metadata\":{\"name\":\"things.x.io\"},\"spec\":{\"group\":\"x.io\",\"scope\":"
	    "\"Namespaced\",\"names\":{\"kind\":\"Thing\",\"plural\":\"things\"},\"versions\":"
	    "[{\"name\":\"v1\",\"served\":true}]}}");
	(void)ask(201, "POST", "/apis/x.io/v1/namespaces/default/things",
	    "{\"apiVersion\":\"x.io/v1\","
	    "\"kind\":\"Thing\",\"metadata\":{\"name\":\"t\"},\"spec\":{\"a\":1}}");
	is(ask(200, "GET", "/apis/x.io/v1", NULL), "resources[0].kind", "Thing");
	(void)ask(415, "PATCH", "/apis/x.io/v1/namespaces/default/things/t", "{}");
}

static bool
count_lines(void *context, struct str bytes)
{
	text_add_str(context, bytes);
	return str_find(text_str(context), STR("DELETED")) < 0;
}

static void
a_watch_tells_what_happens(void **state UNUSED)
{
	char url[256];
	struct text got = TEXT_INIT(1024 * 1024);
	struct http_client_options ho = { .tls.ca_pem = str_from(rig.ca.cert),
		.allow_loopback = true };
	struct http_client *c = NULL;
	struct http_request req = { .method = "GET", .url = url, .bearer = STR("admin") };
	struct http_response r;
	struct error err = { 0 };
	bool over = false;
	struct node *n = ask(200, "GET", CMS, NULL);

	(void)snprintf(url, sizeof(url), "%s" CMS "?watch=true&resourceVersion=" STR_FMT, rig.url,
	    STR_ARG(node_path_str(n, "metadata.resourceVersion")));
	rig_must(http_client_new(&ho, &c, &err), &err);
	rig_must(http_stream_open(c, &req, count_lines, &got, &r, &err), &err);
	(void)ask(201, "POST", CMS,
	    "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
	    "\"metadata\":{\"name\":\"w\"}}");
	(void)patch(200, CMS "/w", MERGE, "{\"data\":{\"k\":\"v\"}}");
	(void)ask(200, "DELETE", CMS "/w", NULL);
	for (int i = 0; i < 200 && !over; i++)
		rig_must(http_stream_step(c, 100, &over, &err), &err);
	assert_true(over);
	assert_int_equal(r.status, 200);
	assert_true(str_find(text_str(&got), STR("{\"type\":\"ADDED\"")) == 0);
	assert_true(str_find(text_str(&got), STR("\n{\"type\":\"MODIFIED\"")) > 0);
	http_stream_close(c);
	http_response_fini(&r);
	http_client_free(c);
	text_free(&got);
}

static void
a_watch_from_nothing_begins_with_all(void **state UNUSED)
{
	struct rig_call c = { "admin", "GET",
		CMS "?watch=1&allowWatchBookmarks=true&timeoutSeconds=1"
		    "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&fieldSelector="
		    "metadata.name%3Db",
		NULL, NULL, NULL };
	struct http_response r;

	(void)ask(201, "POST", CMS,
	    "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
	    "\"metadata\":{\"name\":\"b\"}}");
	assert_int_equal(rig_send(&rig, &c, &r), 200);
	assert_true(str_find(text_str(&r.body), STR("{\"type\":\"ADDED\"")) == 0);
	assert_true(str_find(text_str(&r.body), STR("initial-events-end\":\"true\"")) > 0);
	http_response_fini(&r);
	c.path = CMS "?watch=1&timeoutSeconds=1&sendInitialEvents=true";
	assert_int_equal(rig_send(&rig, &c, &r), 422);
	http_response_fini(&r);
	c.path = CMS "?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Db";
	c.accept = TABLE;
	assert_int_equal(rig_send(&rig, &c, &r), 200);
	assert_true(str_find(text_str(&r.body), STR("\"kind\":\"Table\"")) > 0);
	http_response_fini(&r);
	(void)ask(200, "DELETE", CMS "/b", NULL);
}

static void
a_version_long_gone_is_an_error_event(void **state UNUSED)
{
	struct rig_call c = { "admin", "GET", CMS "?watch=1&resourceVersion=1&timeoutSeconds=2",
		NULL, NULL, NULL };
	struct http_response r;
	struct error err = { 0 };
	const struct resource *res =
	    embedded_resource(rig.store, STR(""), STR("v1"), STR("configmaps"));
	struct actor actor = { "test", "test", "", false };

	/* more changes than the store remembers */
	for (int i = 0; i < 4300; i++) {
		struct node *n = node_map(arena);

		node_set_strz(arena, n, "apiVersion", "v1");
		node_set_strz(arena, n, "kind", "ConfigMap");
		node_set_strz(arena, node_make_path(arena, n, "metadata"), "name", "busy");
		node_set_strz(arena, node_make_path(arena, n, "metadata"), "namespace", "default");
		node_set_int(arena, node_make_path(arena, n, "data"), "n", i);
		rig_must(i == 0 ? store_create(rig.store, res, n, &actor, NULL, &err)
				: store_update(rig.store, res, n, UPDATE_MAIN, &actor, NULL, &err),
		    &err);
	}
	assert_int_equal(rig_send(&rig, &c, &r), 200);
	assert_true(str_starts(text_str(&r.body), STR("{\"type\":\"ERROR\"")));
	assert_true(str_find(text_str(&r.body), STR("\"reason\":\"Expired\"")) > 0);
	http_response_fini(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_object_lives),
		cmocka_unit_test(finalizers_keep_a_deleted_object),
		cmocka_unit_test(stale_writes_conflict),
		cmocka_unit_test(apply_conflicts_name_each_field),
		cmocka_unit_test(patches_of_all_kinds),
		cmocka_unit_test(pages_follow_each_other),
		cmocka_unit_test(tables_show_columns),
		cmocka_unit_test(the_main_path_leaves_status_alone),
		cmocka_unit_test(discovery_has_both_forms),
		cmocka_unit_test(what_is_not_there_is_404),
		cmocka_unit_test(roles_decide),
		cmocka_unit_test(secrets_are_masked),
		cmocka_unit_test(reviews_answer_protobuf_and_json),
		cmocka_unit_test(bad_requests_say_what_is_wrong),
		cmocka_unit_test(dry_run_stores_nothing),
		cmocka_unit_test(a_definition_is_served_at_once),
		cmocka_unit_test(a_watch_tells_what_happens),
		cmocka_unit_test(a_watch_from_nothing_begins_with_all),
		cmocka_unit_test(a_version_long_gone_is_an_error_event),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
