/* Bytes to keys. */
#include "helper_fleet.h"

#include <string.h>

struct row {
	const char *name, *bytes;
	const char *keys; /* by name; "p:" before a pasted one */
};

static const struct row rows[] = {
	{ "letters", "jG", "j G" },
	{ "both cursor forms", "\033[B\033OB\033[A\033OA", "down down up up" },
	{ "home and end in all forms", "\033[H\033OH\033[1~\033[7~\033[F\033[4~",
	    "home home home home end end" },
	{ "function keys", "\033OP\033[11~\033[[A\033[24~", "f1 f1 f1 f12" },
	{ "control letters", "\004\025\014", "ctrl-d ctrl-u ctrl-l" },
	{ "enter, tab, backspace", "\r\n\t\x7f\x08", "enter enter tab backspace backspace" },
	{ "shift tab", "\033[Z", "shift-tab" },
	{ "alt", "\033x", "alt-x" },
	{ "modifiers", "\033[1;5C\033[1;2A", "ctrl-right shift-up" },
	{ "a character of three bytes", "\xe2\x82\xac", "U+20AC" },
	{ "bad UTF-8 is no key", "\xff\xc0\x80j\xe2\x82j", "j j" },
	{ "a title that was asked for by nobody", "\033]0;D\ny\007j", "j" },
	{ "a control string ended by ST", "\033P+r544e=78\033\\j", "j" },
	{ "a cursor report", "\033[24;80Rj", "j" },
	{ "device attributes", "\033[?62;22cj", "j" },
	{ "a mouse report", "\033[M !!j\033[<0;3;4Mk", "j k" },
	{ "focus reports", "\033[Ij\033[Ok", "j k" },
	{ "pasted text is told apart", "\033[200~D\ry\033[201~j", "p:D p:enter p:y j" },
	{ "a paste that ends in half a key ends", "\033[200~x\033O\033[201~j", "p:x j" },
	{ "a paste that ends in half a report ends", "\033[200~\033[M\033[201~j", "j" },
	{ "keys inside a paste do not act", "\033[200~\033[Bx\033\033[201~j", "p:x j" },
	{ "a sequence nobody knows", "\033[99;99;99;99;99;99zj", "j" },
};

static void
check(const struct row *r, size_t chunk)
{
	struct input in;
	struct input_key k;
	struct text got = TEXT_INIT(4096);
	size_t n = strlen(r->bytes);

	input_init(&in);
	for (size_t i = 0; i < n; i += chunk)
		(void)input_feed(
		    &in, (const unsigned char *)r->bytes + i, n - i < chunk ? n - i : chunk);
	while (input_next(&in, &k)) {
		char name[KEY_TEXT_MAX];

		key_format(k.key, name);
		text_printf(&got, "%s%s%s", got.n > 0 ? " " : "", k.pasted ? "p:" : "", name);
	}
	if (strcmp(text_get(&got), r->keys) != 0)
		fail_msg("%s (pieces of %zu): '%s', wanted '%s'", r->name, chunk, text_get(&got),
		    r->keys);
	text_free(&got);
}

static void
bytes_become_keys(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		check(&rows[i], 1000);
		check(&rows[i], 1);
		check(&rows[i], 3);
	}
}

static void
a_lone_escape_is_known_by_silence(void **state)
{
	struct input in;
	struct input_key k;

	(void)state;
	input_init(&in);
	(void)input_feed(&in, (const unsigned char *)"\033", 1);
	assert_false(input_next(&in, &k));
	assert_true(input_is_waiting(&in));
	input_timeout(&in);
	assert_true(input_next(&in, &k));
	assert_int_equal(k.key, KEY_ESC);
	assert_false(input_is_waiting(&in));
}

static void
what_was_typed_before_is_forgotten(void **state)
{
	struct input in;
	struct input_key k;

	(void)state;
	input_init(&in);
	(void)input_feed(&in, (const unsigned char *)"aks-eu-1\r\033", 10);
	input_discard(&in);
	assert_false(input_next(&in, &k));
	assert_false(input_is_waiting(&in));
}

static void
a_flood_is_bounded(void **state)
{
	struct input in;
	unsigned char flood[4096];
	size_t taken;

	(void)state;
	input_init(&in);
	memset(flood, 'j', sizeof(flood));
	taken = input_feed(&in, flood, sizeof(flood));
	assert_true(taken < sizeof(flood));
	assert_true(in.count <= INPUT_QUEUE_MAX);
}

/* The end of a paste that got lost on its way must not leave a dead keyboard. */
static void
a_stalled_paste_ends(void **state)
{
	struct input in;
	struct input_key k;

	(void)state;
	input_init(&in);
	(void)input_feed(&in, (const unsigned char *)"\033[200~x\033", 8);
	input_paste_stalled(&in);
	(void)input_feed(&in, (const unsigned char *)"\003", 1);
	assert_true(input_next(&in, &k) && k.pasted);
	assert_true(input_next(&in, &k) && !k.pasted);
	assert_int_equal(k.key, 'c' | KEY_CTRL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_become_keys),
		cmocka_unit_test(a_lone_escape_is_known_by_silence),
		cmocka_unit_test(what_was_typed_before_is_forgotten),
		cmocka_unit_test(a_stalled_paste_ends),
		cmocka_unit_test(a_flood_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
