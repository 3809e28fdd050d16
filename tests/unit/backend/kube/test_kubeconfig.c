#include "backend/kube/kubeconfig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "backend/kube/pem.h"
#include "tests/unit/backend/net/pki.h"

static struct pki ca, user, other;
static char *ca64, *cert64, *key64, *other_key64;

static char *
base64(const char *text)
{
	struct text t = TEXT_INIT(65536);

	text_add_base64(&t, str_from(text));
	return text_take(&t);
}

static int
start(void **state UNUSED)
{
	ca = pki_make(NULL, NULL, "ca", NULL);
	user = pki_make(&ca, "o", "user", NULL);
	other = pki_make(&ca, "o", "other", NULL);
	ca64 = base64(ca.cert);
	cert64 = base64(user.cert);
	key64 = base64(user.key);
	other_key64 = base64(other.key);
	return 0;
}

static int
stop(void **state UNUSED)
{
	pki_free(&ca);
	pki_free(&user);
	pki_free(&other);
	mem_free(ca64);
	mem_free(cert64);
	mem_free(key64);
	mem_free(other_key64);
	return 0;
}

/* A kubeconfig with these members of the cluster and of the user, as YAML flow text. */
static void
config(struct text *out, const char *cluster, const char *who)
{
	text_clear(out);
	text_printf(out,
	    "apiVersion: v1\nkind: Config\ncurrent-context: x\n"
	    "contexts: [{name: x, context: {cluster: c, user: u}}]\n"
	    "clusters:\n- name: c\n  cluster: {%s}\nusers:\n- name: u\n  user: {%s}\n",
	    cluster, who);
}

#define SERVER "server: 'https://h.test:6443'"

static bool
parse(struct text *t, bool trusted, struct kubeconfig **ret, struct error *err)
{
	*ret = NULL;
	return kubeconfig_parse(text_str(t), (struct str){ 0 }, trusted, ret, err);
}

static void
a_whole_one_is_read_and_written_again(void **state UNUSED)
{
	struct text t = TEXT_INIT(1024 * 1024);
	struct text again = TEXT_INIT(1024 * 1024);
	struct text who = TEXT_INIT(65536);
	struct text where = TEXT_INIT(65536);
	struct kubeconfig *k = NULL;
	struct error err = { 0 };

	text_printf(&where,
	    "server: 'https://h.test:6443/', certificate-authority-data: %s, "
	    "tls-server-name: real.test, proxy-url: 'socks5://p:1080'",
	    ca64);
	text_printf(
	    &who, "client-certificate-data: %s, client-key-data: %s, token: abc", cert64, key64);
	config(&t, text_get(&where), text_get(&who));
	for (int round = 0; round < 2; round++) {
		if (!parse(round == 0 ? &t : &again, false, &k, &err))
			fail_msg("round %d: %s", round, err.message);
		assert_string_equal(k->context, "x");
		assert_string_equal(k->server, "https://h.test:6443");
		assert_string_equal(k->server_name, "real.test");
		assert_string_equal(k->proxy, "socks5://p:1080");
		assert_string_equal(k->ca_pem, ca.cert);
		assert_string_equal(k->client_cert_pem, user.cert);
		assert_true(str_is(secret_get(k->client_key_pem), user.key));
		assert_true(str_is(secret_get(k->token), "abc"));
		assert_false(k->insecure);
		int64_t left = k->cert_expires_ms / 1000 - (int64_t)time(NULL);

		assert_true(left > 86000 && left <= 86400);
		if (round == 0)
			assert_true(kubeconfig_format(k, &again, &err));
		kubeconfig_free(k);
	}
	text_free(&t);
	text_free(&again);
	text_free(&who);
	text_free(&where);
}

struct trick {
	const char *name;
	const char *cluster; /* NULL: SERVER */
	const char *user;
	bool trusted_ok;
	enum error_code code; /* from an untrusted source */
	const char *part;     /* of the message */
};

#define EXEC_V1	     "client.authentication.k8s.io/v1"
#define EXEC_V1BETA1 "client.authentication.k8s.io/v1beta1"

/* clang-format off */
static const struct trick tricks[] = {
	{ "exec", NULL, "exec: {apiVersion: " EXEC_V1BETA1 ", command: sh}", false, ERR_REFUSED, "exec" },
	{ "exec beside a token", NULL, "token: t, exec: {command: sh}", false, ERR_REFUSED, "exec" },
	{ "exec as an empty map", NULL, "exec: {}", false, ERR_REFUSED, "exec" },
	{ "exec as text", NULL, "exec: sh", false, ERR_REFUSED, "exec" },
	{ "auth-provider", NULL, "auth-provider: {name: gcp, config: {cmd-path: sh}}", false, ERR_REFUSED, "auth-provider" },
	{ "basic", NULL, "username: a, password: hunter2", false, ERR_REFUSED, "username" },
	{ "impersonation", NULL, "token: t, as: root", false, ERR_REFUSED, "as" },
	{ "impersonated groups", NULL, "token: t, as-groups: [a]", false, ERR_REFUSED, "as-groups" },
	{ "token file", NULL, "tokenFile: /etc/hostname", true, ERR_REFUSED, "tokenFile" },
	{ "key file", NULL, "client-certificate: /a, client-key: /b", false, ERR_REFUSED, "client-certificate" },
	{ "CA file", SERVER ", certificate-authority: /etc/passwd", "token: t", false, ERR_REFUSED, "certificate-authority" },
	{ "relative CA file", SERVER ", certificate-authority: ca.pem", "token: t", false, ERR_REFUSED, "certificate-authority" },
	{ "insecure", SERVER ", insecure-skip-tls-verify: true", "token: t", true, ERR_REFUSED, "insecure-skip-tls-verify" },
	{ "http", "server: 'http://h.test'", "token: t", false, ERR_REFUSED, "https" },
	{ "file", "server: 'file:///etc/passwd'", "token: t", false, ERR_REFUSED, "https" },
	{ "no host", "server: 'https://'", "token: t", false, ERR_REFUSED, "https" },
	{ "userinfo", "server: 'https://u:hunter2@h.test'", "token: t", false, ERR_REFUSED, "server" },
	{ "query", "server: 'https://h.test/?x=1'", "token: t", false, ERR_REFUSED, "server" },
	{ "fragment", "server: 'https://h.test/#x'", "token: t", false, ERR_REFUSED, "server" },
	{ "space", "server: 'https://h.test /x'", "token: t", false, ERR_INVALID, "server" },
	{ "newline", "server: \"https://h.test/\\nHost: x\"", "token: t", false, ERR_INVALID, "server" },
	{ "no server", "tls-server-name: x", "token: t", false, ERR_INVALID, "server is missing" },
	{ "token with a line break", NULL, "token: \"a\\r\\nX: hunter2\"", false, ERR_INVALID, "token" },
	{ "name with a line break", SERVER ", tls-server-name: \"a\\nb\"", "token: t", false, ERR_INVALID, "tls-server-name" },
	{ "proxy scheme", SERVER ", proxy-url: 'ftp://u:hunter2@p'", "token: t", false, ERR_INVALID, "'ftp'" },
	{ "proxy without scheme", SERVER ", proxy-url: 'hunter2'", "token: t", false, ERR_INVALID, "proxy-url" },
	{ "certificate alone", NULL, "client-certificate-data: @cert", false, ERR_INVALID, "work together" },
	{ "key alone", NULL, "client-key-data: @key", false, ERR_INVALID, "work together" },
	{ "another key", NULL, "client-certificate-data: @cert, client-key-data: @other", false, ERR_INVALID, "does not belong" },
	{ "not base64", NULL, "client-certificate-data: '***', client-key-data: @key", false, ERR_INVALID, "base64" },
	{ "base64 of nothing good", NULL, "client-certificate-data: aHVudGVyMg==, client-key-data: @key", false, ERR_INVALID, "base64" },
	{ "key as certificate", NULL, "client-certificate-data: @key, client-key-data: @key", false, ERR_INVALID, "certificate" },
	{ "URL-safe base64", SERVER ", certificate-authority-data: 'LS0t-LS0_'", "token: t", false, ERR_INVALID, "certificate-authority-data" },
};
/* clang-format on */

static void
fill(struct text *out, const char *template)
{
	static const char *const names[] = { "@cert", "@key", "@other" };
	const char *const values[] = { cert64, key64, other_key64 };
	struct str rest = str_from(template);

	while (rest.n > 0) {
		bool done = false;

		for (size_t i = 0; i < ARRAY_LEN(names) && !done; i++) {
			if (!str_starts(rest, str_from(names[i])))
				continue;
			text_add(out, values[i]);
			rest = str_sub(rest, strlen(names[i]), rest.n);
			done = true;
		}
		if (!done) {
			text_add_char(out, rest.p[0]);
			rest = str_sub(rest, 1, rest.n);
		}
	}
}

static bool
says(const struct error *err, const char *part)
{
	if (strstr(err->message, part) != NULL)
		return true;
	for (unsigned i = 0; i < err->ncauses; i++) {
		if (strstr(err->cause[i], part) != NULL)
			return true;
	}
	return false;
}

static void
tricks_are_refused_and_named(void **state UNUSED)
{
	struct text t = TEXT_INIT(1024 * 1024);

	for (size_t i = 0; i < ARRAY_LEN(tricks); i++) {
		const struct trick *x = &tricks[i];

		for (int trusted = 0; trusted < 2; trusted++) {
			struct text who = TEXT_INIT(65536);
			struct kubeconfig *k = NULL;
			struct error err = { 0 };

			fill(&who, x->user);
			config(&t, x->cluster != NULL ? x->cluster : SERVER, text_get(&who));
			bool ok = parse(&t, trusted == 1, &k, &err);

			if (ok != (trusted == 1 && x->trusted_ok))
				fail_msg("%s, trusted %d: %s", x->name, trusted,
				    ok ? "accepted" : err.message);
			if (!ok && trusted == 0 && (err.code != x->code || !says(&err, x->part)))
				fail_msg("%s: %s", x->name, err.message);
			if (says(&err, "hunter2"))
				fail_msg("%s: shows a value: %s", x->name, err.message);
			kubeconfig_free(k);
			text_free(&who);
		}
	}
	text_free(&t);
}

static void
plugins_are_judged_by_their_version(void **state UNUSED)
{
	static const struct {
		const char *user;
		const char *part;
	} rows[] = {
		{ "exec: {apiVersion: " EXEC_V1 ", command: aws}", "interactiveMode" },
		{ "exec: {apiVersion: " EXEC_V1 ", command: aws, interactiveMode: Never}",
		    "command" },
		{ "exec: {apiVersion: " EXEC_V1BETA1 ", command: aws}", "would run a command" },
		{ "exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: aws}",
		    "v1alpha1" },
		{ "exec: {apiVersion: client.authentication/v1, command: aws}",
		    "context 'x', user 'u'" },
	};
	struct text t = TEXT_INIT(65536);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct kubeconfig *k = NULL;
		struct error err = { 0 };

		config(&t, SERVER, rows[i].user);
		assert_false(parse(&t, true, &k, &err));
		if (!says(&err, rows[i].part))
			fail_msg("row %zu: %s", i, err.message);
	}
	text_free(&t);
}

static void
base64_may_be_wrapped_and_doubled(void **state UNUSED)
{
	struct text t = TEXT_INIT(1024 * 1024);
	char *twice = base64(ca64);
	struct kubeconfig *k = NULL;
	struct error err = { 0 };

	for (int form = 0; form < 4; form++) {
		struct str rest = str_from(form >= 2 ? twice : ca64);

		text_clear(&t);
		text_printf(&t,
		    "kind: Config\ncontexts: [{name: x, context: {cluster: c, user: u}}]\n"
		    "users: [{name: u, user: {token: 12345}}]\nclusters:\n- name: c\n  cluster:\n"
		    "    server: https://h.test\n    certificate-authority-data: %s\n",
		    form % 2 == 0 ? "|" : "!!binary |");
		while (rest.n > 0) {
			text_printf(&t, "      " STR_FMT "  \n", STR_ARG(str_sub(rest, 0, 76)));
			rest = str_sub(rest, 76, rest.n);
		}
		if (!parse(&t, false, &k, &err))
			fail_msg("form %d: %s", form, err.message);
		assert_string_equal(k->ca_pem, ca.cert);
		assert_true(str_is(secret_get(k->token), "12345"));
		kubeconfig_free(k);
	}
	mem_free(twice);
	text_free(&t);
}

static void
contexts_are_chosen(void **state UNUSED)
{
	static const struct {
		const char *head;
		const char *want;
		bool ok;
		const char *part;
	} rows[] = {
		{ "contexts: [{name: a, context: {cluster: c}}]", "", true, "" },
		{ "contexts: [{context: {cluster: c}}]", "", true, "" },
		{ "contexts: [{context: {cluster: c}}, {context: {cluster: c}}]", "", false,
		    "2 contexts" },
		{ "contexts: null", "", false, "0 contexts" },
		{ "contexts: [{name: a, context: {cluster: c}}, {name: b, context: {cluster: c}}]",
		    "", false, "no current-context" },
		{ "contexts: [{name: a, context: {cluster: c}}, {name: b, context: {cluster: c}}]",
		    "b", true, "" },
		{ "contexts: [{name: a, context: {cluster: c}}, {name: a, context: {cluster: c}}]",
		    "a", false, "two entries" },
		{ "contexts: [{name: a, context: {cluster: c}}]", "z", false,
		    "no entry named 'z'" },
		{ "contexts: [{name: a, context: {cluster: zz}}]", "", false,
		    "no entry named 'zz'" },
		{ "contexts: [{name: a, context: {cluster: c, user: gone}}]\nusers: []", "", false,
		    "no entry named 'gone'" },
		{ "contexts: [{name: a, context: {cluster: c}}]\ncurrent-context: \"\\n\"", "",
		    false, "strange" },
		{ "contexts: 5", "", false, "contexts" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct text t = TEXT_INIT(65536);
		struct kubeconfig *k = NULL;
		struct error err = { 0 };

		text_printf(&t, "kind: Config\n%s\nclusters: [{name: c, cluster: {" SERVER "}}]\n",
		    rows[i].head);
		bool ok = kubeconfig_parse(text_str(&t), str_from(rows[i].want), false, &k, &err);

		if (ok != rows[i].ok || (!ok && !says(&err, rows[i].part)))
			fail_msg("row %zu: %s", i, ok ? "accepted" : err.message);
		kubeconfig_free(k);
		text_free(&t);
	}
}

static void
what_is_no_kubeconfig_is_refused(void **state UNUSED)
{
	static const char *const rows[] = { "", "a", "[]", "kind: Pod", "{}",
		"kind: Config\n---\nkind: Config",
		"kind: Config\nclusters:\n- name: c\n  cluster: {certificate-authority-data: "
		"|\nLS0tLS1CRUdJ\n}",
		"\x01", "kind: Config\nkind: Config" };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct kubeconfig *k = NULL;
		struct error err = { 0 };

		if (kubeconfig_parse(str_from(rows[i]), (struct str){ 0 }, true, &k, &err))
			fail_msg("row %zu was accepted", i);
		assert_true(err.code != ERR_NONE);
	}
}

static void
its_size_is_limited(void **state UNUSED)
{
	struct text t = TEXT_INIT(2 * KUBECONFIG_MAX_BYTES);
	struct kubeconfig *k = NULL;
	struct error err = { 0 };

	config(&t, SERVER, "token: t");
	text_add_char(&t, '#');
	while (t.n < KUBECONFIG_MAX_BYTES)
		text_add_char(&t, 'x');
	if (!parse(&t, false, &k, &err))
		fail_msg("%s", err.message);
	kubeconfig_free(k);
	text_add_char(&t, 'x');
	assert_false(parse(&t, false, &k, &err));
	assert_int_equal(err.code, ERR_TOO_LARGE);
	text_free(&t);
}

static void
a_trusted_one_may_name_files(void **state UNUSED)
{
	char path[] = "/tmp/fd-ca-XXXXXX";
	int fd = mkstemp(path);
	struct text t = TEXT_INIT(65536);
	struct text where = TEXT_INIT(1024);
	struct kubeconfig *k = NULL;
	struct error err = { 0 };

	assert_int_equal(write(fd, ca.cert, strlen(ca.cert)), (ssize_t)strlen(ca.cert));
	(void)close(fd);
	text_printf(&where, SERVER ", certificate-authority: %s", path);
	config(&t, text_get(&where), "token: t");
	if (!parse(&t, true, &k, &err))
		fail_msg("%s", err.message);
	assert_string_equal(k->ca_pem, ca.cert);
	kubeconfig_free(k);
	assert_false(parse(&t, false, &k, &err));
	(void)unlink(path);
	text_free(&t);
	text_free(&where);
}

static void
running_out_of_memory_leaks_nothing(void **state UNUSED)
{
	struct text t = TEXT_INIT(65536);
	struct text who = TEXT_INIT(65536);

	text_printf(
	    &who, "client-certificate-data: %s, client-key-data: %s, token: abc", cert64, key64);
	config(&t, SERVER, text_get(&who));
	long before = mem_live_blocks();

	for (long n = 0; n < 400; n++) {
		struct kubeconfig *k = NULL;
		struct error err = { 0 };

		mem_fault_arm(n);
		bool ok = parse(&t, false, &k, &err);
		bool fired = mem_fault_fired();

		mem_fault_arm(-1);
		if (ok && fired)
			fail_msg("allocation %ld failed and nobody noticed", n);
		kubeconfig_free(k);
		assert_int_equal(mem_live_blocks(), before);
		if (ok)
			break;
		assert_int_equal(err.code, ERR_NO_MEMORY);
	}
	text_free(&t);
	text_free(&who);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_one_is_read_and_written_again),
		cmocka_unit_test(tricks_are_refused_and_named),
		cmocka_unit_test(plugins_are_judged_by_their_version),
		cmocka_unit_test(base64_may_be_wrapped_and_doubled),
		cmocka_unit_test(contexts_are_chosen),
		cmocka_unit_test(what_is_no_kubeconfig_is_refused),
		cmocka_unit_test(its_size_is_limited),
		cmocka_unit_test(a_trusted_one_may_name_files),
		cmocka_unit_test(running_out_of_memory_leaks_nothing),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
