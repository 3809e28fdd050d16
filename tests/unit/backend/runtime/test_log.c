#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/runtime/clean.h"
#include "backend/runtime/log.h"

static char got[16 * 1024];

/* Everything that was written into the pipe. */
static const char *
drain(int fd)
{
	ssize_t n = read(fd, got, sizeof got - 1);

	got[n > 0 ? n : 0] = '\0';
	return got;
}

static void
pipe_open(int fd[2])
{
	assert_int_equal(pipe2(fd, O_NONBLOCK | O_CLOEXEC), 0);
	log_open(fd[1], LOG_INFO);
}

static void
pipe_close(int fd[2])
{
	log_open(-1, LOG_INFO);
	assert_int_equal(close(fd[0]), 0);
	assert_int_equal(close(fd[1]), 0);
}

static void
one_event_is_one_line(void **state UNUSED)
{
	const char *line;
	int fd[2];

	pipe_open(fd);
	log_event(LOG_INFO, "store", "opened", "file=%s n=%d", "a\nlevel=error forged\x1b[2J", 3);
	line = drain(fd[0]);
	assert_non_null(strstr(
	    line, "Z info store opened file=a\\u{000A}level=error forged\\u{001B}[2J n=3\n"));
	assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
	assert_int_equal(line[4], '-');
	assert_int_equal(line[19], '.');
	pipe_close(fd);
}

static void
level_below_the_wanted_one_is_silent(void **state UNUSED)
{
	int fd[2];

	pipe_open(fd);
	log_event(LOG_DEBUG, "store", "step", "n=%d", 1);
	assert_string_equal(drain(fd[0]), "");
	log_open(fd[1], LOG_DEBUG);
	log_event(LOG_DEBUG, "store", "step", "n=%d", 1);
	assert_non_null(strstr(drain(fd[0]), " debug store step n=1\n"));
	pipe_close(fd);
}

static void
error_brings_reason_message_and_causes(void **state UNUSED)
{
	struct error err;
	int fd[2];

	error_set(&err, ERR_DISK_FULL, "no space for \"x\"");
	error_wrap(&err, "cannot write the object");
	pipe_open(fd);
	log_error("store", "write-failed", &err, "object=%s", "ns/a");
	assert_non_null(strstr(drain(fd[0]),
	    " error store write-failed object=ns/a reason=DiskFull "
	    "message=\"cannot write the object\" cause=\"no space for \\\"x\\\"\"\n"));
	pipe_close(fd);
}

static void
long_line_is_cut_and_still_one_line(void **state UNUSED)
{
	static char big[9000];
	const char *line;
	int fd[2];

	memset(big, '\x01', sizeof big - 1);
	pipe_open(fd);
	log_event(LOG_INFO, "a", "b", "%s", big);
	line = drain(fd[0]);
	assert_int_equal(line[strlen(line) - 1], '\n');
	assert_in_range(strlen(line), 1000, 8192);
	pipe_close(fd);
}

static void
dangerous_characters_are_shown(void **state UNUSED)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{ "plain \xC3\xA9", "plain \xC3\xA9" },
		{ "a\tb\r\x7F", "a\\u{0009}b\\u{000D}\\u{007F}" },
		{ "\xC2\x9B", "\\u{009B}" },	      /* C1 CSI */
		{ "\xE2\x80\xAE", "\\u{202E}" },      /* right-to-left override */
		{ "\xE2\x80\x8B", "\\u{200B}" },      /* zero width space */
		{ "\xF3\xA0\x81\x81", "\\u{E0041}" }, /* tag */
		{ "\xEE\x80\x80", "\\u{E000}" },      /* private use */
		{ "x\xFFy", "x\xEF\xBF\xBDy" },	      /* not UTF-8 */
		{ "\xC0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct text t = TEXT_INIT(100);

		clean_add(&t, str_from(rows[i].in));
		assert_string_equal(text_get(&t), rows[i].out);
		text_free(&t);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_event_is_one_line),
		cmocka_unit_test(level_below_the_wanted_one_is_silent),
		cmocka_unit_test(error_brings_reason_message_and_causes),
		cmocka_unit_test(long_line_is_cut_and_still_one_line),
		cmocka_unit_test(dangerous_characters_are_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
