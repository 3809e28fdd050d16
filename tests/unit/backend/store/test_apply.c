#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "backend/store/apply.h"
#include "model/base/mem.h"
#include "model/json.h"
#include "model/kinds/aks_cluster.h"
#include "model/kinds/secret.h"

/* A kind that only Kubernetes knows. */
static const struct resource pods = { "", "v1", "Pod", "pods", true, NULL };

static struct arena *arena;

static int
setup(void **state UNUSED)
{
	arena = arena_new((size_t)64 * 1024 * 1024);
	return arena == NULL ? -1 : 0;
}

static int
teardown(void **state UNUSED)
{
	arena_free(arena);
	return 0;
}

/* JSON with ' for " so that it can be read here. */
static struct node *
tree(const char *quoted)
{
	char *json = arena_dup(arena, quoted, strlen(quoted));
	struct node *n = NULL;
	struct error err;

	for (char *p = json; *p != '\0'; p++)
		*p = *p == '\'' ? '"' : *p;
	if (!json_parse(arena, str_from(json), &n, &err))
		fail_msg("%s: %s", quoted, err.message);
	return n;
}

static struct node *
merged(const struct resource *res, const struct node *live, const char *manifest,
    const char *manager, bool force)
{
	struct node *out = NULL;
	struct error err;

	if (!apply_merge(res, arena, live, tree(manifest), manager, force, &out, &err))
		fail_msg("%s", err.message);
	return out;
}

static void
refused(const struct resource *res, const struct node *live, const char *manifest,
    const char *manager, const char *message)
{
	struct node *out = NULL;
	struct error err;

	assert_false(apply_merge(res, arena, live, tree(manifest), manager, false, &out, &err));
	assert_int_equal(err.code, ERR_CONFLICT);
	assert_string_equal(err.message, message);
	assert_null(out);
}

/* The tree without metadata.managedFields, as JSON with ' for ". */
static void
is(const struct node *n, const char *want)
{
	struct node *copy = node_dup(arena, n);
	struct text t = TEXT_INIT(64 * 1024);

	(void)node_remove(node_find(copy, "metadata"), STR("managedFields"));
	json_write(&t, copy, JSON_COMPACT);
	for (size_t i = 0; i < t.n; i++)
		t.p[i] = t.p[i] == '"' ? '\'' : t.p[i];
	assert_string_equal(text_get(&t), want);
	text_free(&t);
}

/* The fields of a manager's entry, in the same way; "" when it has none. */
static void
owns(const struct node *n, const char *manager, const char *operation, const char *want)
{
	struct text t = TEXT_INIT(64 * 1024);

	for (const struct node *x = node_first(node_path(n, "metadata.managedFields")); x != NULL;
	     x = x->next) {
		if (!str_is(node_path_str(x, "manager"), manager) ||
		    !str_is(node_path_str(x, "operation"), operation))
			continue;
		assert_true(str_is(node_path_str(x, "fieldsType"), "FieldsV1"));
		json_write(&t, node_find(x, "fieldsV1"), JSON_COMPACT);
	}
	for (size_t i = 0; i < t.n; i++)
		t.p[i] = t.p[i] == '"' ? '\'' : t.p[i];
	assert_string_equal(text_get(&t), want);
	text_free(&t);
}

#define AKS resource_of(&aks_cluster_kind)

static void
first_apply_owns_what_it_sends(void **state UNUSED)
{
	struct node *n = merged(AKS, NULL,
	    "{'apiVersion':'infrastructure.modelplane.ai/v1alpha1','kind':'AKSCluster',"
	    "'metadata':{'name':'x','namespace':'ml','labels':{'a':'1'},'finalizers':['f']},"
	    "'spec':{'location':'l','nodePools':[{'name':'p','zones':['1','2']}]},"
	    "'status':{'secrets':[]}}",
	    "kubectl", false);

	/* status is not an applier's; zones is one value; names and versions belong to nobody */
	owns(n, "kubectl", "Apply",
	    "{'f:metadata':{'f:finalizers':{'v:\\'f\\'':{}},'f:labels':{'f:a':{}}},"
	    "'f:spec':{'f:location':{},'f:nodePools':{'k:{\\'name\\':\\'p\\'}':"
	    "{'.':{},'f:name':{},'f:zones':{}}}}}");
	assert_null(node_find(n, "status"));
	assert_null(node_path(n, "metadata.managedFields[0].time"));
	assert_true(str_is(node_path_str(n, "metadata.managedFields[0].apiVersion"),
	    "infrastructure.modelplane.ai/v1alpha1"));
}

static void
atomic_list_is_replaced_and_maps_are_merged(void **state UNUSED)
{
	struct node *n = merged(&pods, NULL,
	    "{'spec':{'tolerations':[{'key':'a'}],'nodeSelector':{'x':'1'}}}", "one", false);

	n = merged(&pods, n, "{'spec':{'nodeSelector':{'y':'2'}}}", "two", false);
	is(n, "{'spec':{'tolerations':[{'key':'a'}],'nodeSelector':{'x':'1','y':'2'}},'metadata':{}"
	      "}");
	refused(&pods, n, "{'spec':{'tolerations':[{'key':'b'}]}}", "two",
	    "Apply failed with 1 conflict: conflict with \"one\": .spec.tolerations");
	n = merged(&pods, n, "{'spec':{'tolerations':[{'key':'b'}]}}", "one", false);
	is(n, "{'spec':{'tolerations':[{'key':'b'}],'nodeSelector':{'y':'2'}},'metadata':{}}");
}

static void
lists_of_kubernetes_merge_by_their_keys(void **state UNUSED)
{
	struct node *n = merged(&pods, NULL,
	    "{'spec':{'containers':[{'name':'a','image':'i','env':[{'name':'E','value':'1'}],"
	    "'ports':[{'containerPort':80},{'containerPort':80,'protocol':'UDP'}]}]}}",
	    "one", false);

	n = merged(&pods, n,
	    "{'spec':{'containers':[{'name':'b','image':'j'},{'name':'a','env':[{'name':'F',"
	    "'value':'2'}],'ports':[{'containerPort':80,'protocol':'TCP','name':'web'}]}]}}",
	    "two", false);
	is(n, "{'spec':{'containers':[{'name':'b','image':'j'},{'name':'a','image':'i',"
	      "'env':[{'name':'E','value':'1'},{'name':'F','value':'2'}],"
	      "'ports':[{'containerPort':80,'protocol':'TCP','name':'web'},"
	      "{'containerPort':80,'protocol':'UDP'}]}]},'metadata':{}}");
	refused(&pods, n,
	    "{'spec':{'containers':[{'name':'a','ports':[{'containerPort':80,"
	    "'protocol':'TCP','name':'x'}]}]}}",
	    "three",
	    "Apply failed with 1 conflict: conflict with \"two\": "
	    ".spec.containers[name=\"a\"].ports[containerPort=80,protocol=\"TCP\"].name");
}

static void
dropped_fields_go_when_nobody_else_has_them(void **state UNUSED)
{
	struct node *n = merged(&pods, NULL,
	    "{'metadata':{'labels':{'a':'1','b':'2','c':'3'}},'spec':{'x':{'deep':{'er':1}}}}",
	    "one", false);

	n = merged(&pods, n, "{'metadata':{'labels':{'b':'2','mine':'4'}}}", "two", false);
	n = merged(&pods, n, "{'metadata':{'labels':{'a':'1'}}}", "one", false);
	is(n, "{'metadata':{'labels':{'a':'1','b':'2','mine':'4'}}}");
	owns(n, "one", "Apply", "{'f:metadata':{'f:labels':{'f:a':{}}}}");
	owns(n, "two", "Apply", "{'f:metadata':{'f:labels':{'f:b':{},'f:mine':{}}}}");
	n = merged(&pods, n, "{}", "two", false);
	is(n, "{'metadata':{'labels':{'a':'1'}}}");
	owns(n, "two", "Apply", "");
}

static void
list_element_stays_while_another_has_a_part_of_it(void **state UNUSED)
{
	struct node *n = merged(&pods, NULL,
	    "{'spec':{'containers':[{'name':'a','image':'i'},{'name':'b','image':'j'}]}}", "one",
	    false);

	n = merged(&pods, n, "{'spec':{'containers':[{'name':'b','tty':true}]}}", "two", false);
	n = merged(&pods, n, "{'spec':{'replicas':1}}", "one", false);
	is(n, "{'spec':{'containers':[{'name':'b','tty':true}],'replicas':1},'metadata':{}}");
}

static void
set_elements_are_owned_one_by_one(void **state UNUSED)
{
	struct node *n = merged(&pods, NULL, "{'metadata':{'finalizers':['a','b']}}", "one", false);

	n = merged(&pods, n, "{'metadata':{'finalizers':['c','b']}}", "two", false);
	is(n, "{'metadata':{'finalizers':['a','c','b']}}");
	n = merged(&pods, n, "{'metadata':{'finalizers':[]}}", "one", true);
	is(n, "{'metadata':{'finalizers':['c','b']}}");
}

static void
several_conflicts_are_listed_by_manager(void **state UNUSED)
{
	struct apply_conflict *items;
	struct node *live, *n;
	struct error err;
	size_t count;

	live = tree("{'metadata':{},'spec':{'a':1,'b':2,'c':3}}");
	assert_true(apply_track(&pods, arena, NULL, live, "editor", false, &err));
	n = merged(&pods, live, "{'spec':{'d':4}}", "zed", false);
	refused(&pods, n, "{'spec':{'a':9,'b':9,'c':3,'d':9}}", "me",
	    "Apply failed with 3 conflicts: conflicts with \"editor\" using v1:\n- .spec.a\n- "
	    ".spec.b\n"
	    "conflict with \"zed\": .spec.d");
	assert_true(apply_conflicts(&pods, arena, n, tree("{'spec':{'a':9,'b':9,'c':3,'d':9}}"),
	    "me", &items, &count, &err));
	assert_int_equal(count, 3);
	assert_true(str_is(items[0].manager, "editor") && str_is(items[0].field, ".spec.a"));
	assert_true(str_is(items[0].using_version, "v1"));
	assert_true(str_is(items[2].manager, "zed") && items[2].using_version.n == 0);

	n = merged(&pods, n, "{'spec':{'a':9,'b':9,'c':3,'d':9}}", "me", true);
	owns(n, "editor", "Update", "{'f:spec':{'f:c':{}}}"); /* the same value: shared */
	owns(n, "zed", "Apply", "");
	owns(n, "me", "Apply", "{'f:spec':{'f:a':{},'f:b':{},'f:c':{},'f:d':{}}}");
}

static void
update_takes_only_what_it_changes(void **state UNUSED)
{
	struct node *live = merged(
	    &pods, NULL, "{'spec':{'a':1,'b':2},'metadata':{'labels':{'l':'1'}}}", "one", false);
	struct node *next = node_dup(arena, live);
	struct error err;

	node_set_int(arena, node_find(next, "spec"), "b", 3);
	node_set_int(arena, node_find(next, "spec"), "c", 4);
	(void)node_remove(node_find(next, "metadata"), STR("labels"));
	assert_true(apply_track(&pods, arena, live, next, "ed", false, &err));
	owns(next, "one", "Apply", "{'f:spec':{'f:a':{}}}");
	owns(next, "ed", "Update", "{'f:spec':{'f:b':{},'f:c':{}}}");

	live = next; /* nothing changes: nothing is written down */
	next = node_dup(arena, live);
	assert_true(apply_track(&pods, arena, live, next, "ed", false, &err));
	assert_true(node_eq(live, next));
}

static void
status_has_an_entry_of_its_own(void **state UNUSED)
{
	struct node *live = tree("{'metadata':{},'spec':{'location':'l'}}");
	struct node *next = node_dup(arena, live);
	struct error err;

	node_set(arena, next, "status",
	    tree("{'conditions':[{'type':'Ready','status':'True'}],'cache':{'storageClassName':'s'}"
		 "}"));
	assert_true(apply_track(AKS, arena, live, next, "ctl", true, &err));
	owns(next, "ctl", "Update",
	    "{'f:status':{'f:cache':{'f:storageClassName':{}},'f:conditions':"
	    "{'k:{\\'type\\':\\'Ready\\'}':{'.':{},'f:status':{},'f:type':{}}}}}");
	assert_true(str_is(node_path_str(next, "metadata.managedFields[0].subresource"), "status"));
}

static void
shape_that_changes_is_replaced(void **state UNUSED)
{
	struct node *n = merged(&pods, NULL, "{'spec':{'x':{'a':1}}}", "one", false);

	n = merged(&pods, n, "{'spec':{'x':[1,2]}}", "one", false);
	is(n, "{'spec':{'x':[1,2]},'metadata':{}}");
	n = merged(&pods, n, "{'spec':{'x':'text'}}", "one", false);
	is(n, "{'spec':{'x':'text'},'metadata':{}}");
}

static void
managers_that_make_no_sense_are_survived(void **state UNUSED)
{
	static const char *const lists[] = { "[1,'x',null,{}]", "{'a':1}", "'text'",
		"[{'manager':'m','operation':'Apply','fieldsV1':[1]}]",
		"[{'manager':1,'fieldsV1':{'q':{'k:{':{},'v:':{},'.':{},'':{}}}}]",
		"[{'manager':'one','operation':'Apply','fieldsV1':{'f:spec':{'k:{bad':{},'f:a':7}}}"
		"]" };

	for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
		struct node *live = tree("{'metadata':{},'spec':{'a':1}}");
		struct node *out = NULL;
		struct error err;

		node_set(arena, node_find(live, "metadata"), "managedFields", tree(lists[i]));
		assert_true(apply_merge(
		    &pods, arena, live, tree("{'spec':{'a':2}}"), "one", true, &out, &err));
		assert_int_equal(node_path_int(out, "spec.a", 0), 2);
	}
}

static void
manager_needs_a_name(void **state UNUSED)
{
	struct node *out = NULL;
	struct error err;

	assert_false(apply_merge(&pods, arena, NULL, tree("{}"), "", false, &out, &err));
	assert_int_equal(err.code, ERR_INVALID);
}

static void
inputs_stay_as_they_are(void **state UNUSED)
{
	struct node *live = merged(&pods, NULL, "{'spec':{'a':1,'b':[{'x':1}]}}", "one", false);
	struct node *copy = node_dup(arena, live);
	struct node *manifest = tree("{'metadata':{'managedFields':[]},'spec':{'a':2}}");
	struct node *manifest_copy = node_dup(arena, manifest);
	struct node *out = NULL;
	struct error err;

	assert_true(apply_merge(&pods, arena, live, manifest, "two", true, &out, &err));
	assert_true(node_eq(live, copy));
	assert_true(node_eq(manifest, manifest_copy));
}

#define A(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		A(first_apply_owns_what_it_sends),
		A(atomic_list_is_replaced_and_maps_are_merged),
		A(lists_of_kubernetes_merge_by_their_keys),
		A(dropped_fields_go_when_nobody_else_has_them),
		A(list_element_stays_while_another_has_a_part_of_it),
		A(set_elements_are_owned_one_by_one),
		A(several_conflicts_are_listed_by_manager),
		A(update_takes_only_what_it_changes),
		A(status_has_an_entry_of_its_own),
		A(shape_that_changes_is_replaced),
		A(managers_that_make_no_sense_are_survived),
		A(manager_needs_a_name),
		A(inputs_stay_as_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
