#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "backend/providers/azure/azure_int.h"
#include "model/base/mem.h"
#include "model/json.h"

static struct error
error_of(int status, const char *json)
{
	struct arena *a = arena_new(1024 * 1024);
	struct error err = { 0 };
	struct node *n = NULL;

	assert_non_null(a);
	if (json != NULL)
		assert_true(json_parse(a, str_from(json), &n, NULL));
	azure_error_from(&err, a, status, n, STR("corr-1"));
	arena_free(a);
	return err;
}

static void
codes_are_unique_and_well_formed(void **state)
{
	(void)state;
	for (size_t i = 0; i < azure_nerrors; i++) {
		const char *code = azure_errors[i].code;

		assert_true(strlen(code) > 0 && strlen(code) < ERROR_REASON_MAX);
		assert_int_equal(strspn(code, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
		    strlen(code));
		assert_true(azure_errors[i].class != ERR_NONE);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(code, azure_errors[j].code);
		/* A row must be reachable: no earlier prefix row may catch it. */
		assert_ptr_equal(azure_error_find(str_from(code), STR("in progress")), &azure_errors[i]);
	}
}

static const struct {
	const char *name;
	int status;
	const char *json;
	enum error_code code;
	const char *reason, *message, *advice; /* parts */
} rows[] = {
	{ "the deepest detail says most", 400,
	    "{\"error\":{\"code\":\"CreateVMSSAgentPoolFailed\",\"message\":\"outer\",\"details\":["
	    "{\"code\":\"QuotaExceeded\",\"message\":\"needs 24 more\"}]}}",
	    ERR_QUOTA, "QuotaExceeded", "needs 24 more", "ask for vCPU quota" },
	{ "without the wrapper", 400,
	    "{\"code\":\"K8sVersionNotSupported\",\"message\":\"1.29 is not supported\",\"details\":null}",
	    ERR_INVALID, "K8sVersionNotSupported", "1.29", "choose a version" },
	{ "a quota in the older dress", 409,
	    "{\"error\":{\"code\":\"OperationNotAllowed\",\"message\":\"exceeding approved cores quota\"}}",
	    ERR_QUOTA, "OperationNotAllowed", "cores", "quota" },
	{ "another operation is a wait", 409,
	    "{\"error\":{\"code\":\"OperationNotAllowed\",\"message\":\"another operation is in progress\"}}",
	    ERR_BUSY, "OperationNotAllowed", "in progress", "" },
	{ "a conflict of another kind is none", 409,
	    "{\"error\":{\"code\":\"Conflict\",\"message\":\"the name is used elsewhere\"}}",
	    ERR_CONFLICT, "Conflict", "used elsewhere", "" },
	{ "throttled whatever the code", 429,
	    "{\"error\":{\"code\":\"OperationNotAllowed\",\"message\":\"too many\"}}",
	    ERR_THROTTLED, "OperationNotAllowed", "too many", "" },
	{ "unknown code, known status", 403,
	    "{\"error\":{\"code\":\"SomethingNew\",\"message\":\"no\"}}",
	    ERR_FORBIDDEN, "SomethingNew", "no", "" },
	{ "a prefix row", 400,
	    "{\"error\":{\"code\":\"VMExtensionError_K8SAPIServerDNSLookupFail\",\"message\":\"dns\"}}",
	    ERR_CLOUD, "", "dns", "check routes" },
	{ "no body at all", 503, NULL, ERR_CLOUD, "", "Azure answered 503", "corr-1" },
	{ "codes with strange letters are not repeated", 400,
	    "{\"error\":{\"code\":\"\\u001b[31mBad\",\"message\":\"m\"}}",
	    ERR_INVALID, "Invalid", "m", "" },
};

static void
errors_of_azure_become_ours(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct error e = error_of(rows[i].status, rows[i].json);

		if (e.code != rows[i].code)
			fail_msg("%s: code %s", rows[i].name, error_reason(&e));
		if (rows[i].reason[0] != '\0' && strcmp(error_reason(&e), rows[i].reason) != 0)
			fail_msg("%s: reason %s", rows[i].name, error_reason(&e));
		if (strstr(e.message, rows[i].message) == NULL)
			fail_msg("%s: message %s", rows[i].name, e.message);
		if (strstr(error_advice(&e), rows[i].advice) == NULL)
			fail_msg("%s: advice %s", rows[i].name, error_advice(&e));
	}
}

static void
deep_and_long_details_have_an_end(void **state)
{
	struct text t = TEXT_INIT(1024 * 1024);
	struct error e;

	(void)state;
	text_add(&t, "{\"error\":");
	for (int i = 0; i < 25; i++)
		text_add(&t, "{\"code\":\"A\",\"message\":\"x\",\"details\":[");
	text_add(&t, "{\"code\":\"B\",\"message\":\"y\"}");
	for (int i = 0; i < 25; i++)
		text_add(&t, "]}");
	text_add(&t, "}");
	e = error_of(400, text_get(&t));
	assert_int_equal(e.code, ERR_INVALID);
	text_clear(&t);
	text_add(&t, "{\"error\":{\"code\":\"BadRequest\",\"message\":\"");
	for (int i = 0; i < 5000; i++)
		text_add_char(&t, 'x');
	text_add(&t, "\"}}");
	e = error_of(400, text_get(&t));
	assert_true(strlen(e.message) < ERROR_MESSAGE_MAX);
	text_free(&t);
}

/* ---- throttle ---- */

static void
the_bucket_lets_a_burst_through_and_then_its_rate(void **state)
{
	struct throttle t = { 0 };
	int64_t now = 1000, wait = 0;
	int sent = 0;

	(void)state;
	while ((wait = throttle_take(&t, THROTTLE_WRITE, now)) == 0)
		sent++;
	assert_int_equal(sent, 190);
	assert_true(wait > 0 && wait <= 200);
	assert_int_equal(throttle_take(&t, THROTTLE_READ, now), 0); /* another bucket */
	for (sent = 0, now += 10000; throttle_take(&t, THROTTLE_WRITE, now) == 0;)
		sent++;
	assert_true(sent >= 94 && sent <= 96);
}

static void
a_refusal_stops_the_whole_account_until_its_time(void **state)
{
	struct throttle t = { 0 };

	(void)state;
	assert_int_equal(throttle_take(&t, THROTTLE_READ, 1000), 0);
	throttle_refused(&t, 1000, 7000);
	assert_int_equal(throttle_take(&t, THROTTLE_WRITE, 1000), 7000);
	assert_int_equal(throttle_take(&t, THROTTLE_READ, 5000), 3000);
	assert_int_equal(throttle_take(&t, THROTTLE_READ, 8000), 0);
	throttle_refused(&t, 8000, -1); /* nobody said how long */
	assert_true(throttle_take(&t, THROTTLE_READ, 8000) > 0);
	throttle_refused(&t, 8000, (int64_t)1 << 50); /* a huge one is capped */
	assert_true(throttle_take(&t, THROTTLE_READ, 8000) <= 10 * 60 * 1000);
}

static void
a_low_remainder_slows_us_down(void **state)
{
	struct throttle t = { 0 };

	(void)state;
	assert_int_equal(throttle_take(&t, THROTTLE_WRITE, 1000), 0);
	throttle_note(&t, THROTTLE_WRITE, 1199);
	assert_int_equal(throttle_take(&t, THROTTLE_WRITE, 1000), 0);
	throttle_note(&t, THROTTLE_WRITE, 2);
	assert_true(throttle_take(&t, THROTTLE_WRITE, 1000) > 0);
	assert_int_equal(t.remaining[THROTTLE_WRITE], 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(codes_are_unique_and_well_formed),
		cmocka_unit_test(errors_of_azure_become_ours),
		cmocka_unit_test(deep_and_long_details_have_an_end),
		cmocka_unit_test(the_bucket_lets_a_burst_through_and_then_its_rate),
		cmocka_unit_test(a_refusal_stops_the_whole_account_until_its_time),
		cmocka_unit_test(a_low_remainder_slows_us_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
