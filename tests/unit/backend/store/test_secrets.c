#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <fcntl.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/store/secrets_int.h"
#include "model/base/mem.h"
#include "tests/unit/backend/store/tempdir.h"

static const unsigned char test_key[SECRET_KEY_BYTES] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
	13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 };

#define CONTEXT STR("inst|uid|data|7")

static struct secret_box *
box_make(void)
{
	struct secret_box *box = secret_box_with_key(test_key);

	assert_non_null(box);
	return box;
}

/*
 * Made apart from this code, with the cryptography package of Python: key 00..1f, wrap nonce 12 x
 * 0x11, data key 32 x 0x22, nonce 12 x 0x33, text "hunter2", data "fd1:inst|uid|data|7".
 */
static const char known_sealed[] = "fd1:ERERERERERERERERokK2nZoiDYxKXQcgYwcymME9ooc3E7JLD_"
				   "m5JApB4XAOr6ucm4HA5fzmq3UZMcK4MzMzMzMzMzMzMzMz"
				   "HraonhBeRLWZ1p0j0tyViPK2obK8YZs";

static void
known_answer_opens(void **state UNUSED)
{
	struct secret_box *box = box_make();
	struct secret *s = NULL;
	struct error err;

	if (!secret_open(box, str_from(known_sealed), CONTEXT, &s, &err))
		fail_msg("%s", err.message);
	assert_true(str_is(secret_get(s), "hunter2"));
	secret_free(s);
	secret_box_free(box);
}

static void
what_is_sealed_opens_again_and_never_looks_the_same(void **state UNUSED)
{
	static const size_t sizes[] = { 0, 1, 15, 16, 17, 1000, 100000 };
	struct secret_box *box = box_make();

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		struct text a = TEXT_INIT(1024 * 1024), b = TEXT_INIT(1024 * 1024);
		char *plain = mem_new(sizes[i] + 1);
		struct secret *s = NULL;
		struct error err;

		memset(plain, 'x', sizes[i]);
		assert_true(secret_seal(box, (struct str){ plain, sizes[i] }, CONTEXT, &a, &err));
		assert_true(secret_seal(box, (struct str){ plain, sizes[i] }, CONTEXT, &b, &err));
		assert_true(str_starts(text_str(&a), STR("fd1:")));
		assert_false(str_eq(text_str(&a), text_str(&b)));
		assert_true(str_find(text_str(&a), STR("xxxx")) < 0);
		assert_true(secret_open(box, text_str(&a), CONTEXT, &s, &err));
		assert_int_equal(secret_get(s).n, sizes[i]);
		assert_memory_equal(secret_get(s).p, plain, sizes[i]);
		secret_free(s);
		mem_free(plain);
		text_free(&a);
		text_free(&b);
	}
	secret_box_free(box);
}

/* Every character of the text is changed in turn, and each bit of the bytes below with it. */
static void
every_flipped_bit_is_found(void **state UNUSED)
{
	static const char letters[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	struct secret_box *box = box_make();
	struct text sealed = TEXT_INIT(1024);
	struct error err;

	assert_true(secret_seal(box, STR("hunter2"), CONTEXT, &sealed, &err));
	for (size_t i = 0; i < sealed.n; i++) {
		char was = sealed.p[i];
		const char *at = memchr(letters, was, 64);

		for (unsigned bit = 0; bit < 6; bit++) {
			struct secret *s = NULL;

			if (at == NULL)
				sealed.p[i] = (char)((unsigned char)was ^ (1U << bit));
			else
				sealed.p[i] = letters[(unsigned)(at - letters) ^ (1U << bit)];
			assert_false(secret_open(box, text_str(&sealed), CONTEXT, &s, &err));
			assert_int_equal(err.code, ERR_CORRUPT);
			assert_null(s);
		}
		sealed.p[i] = was;
	}
	for (size_t n = 0; n < sealed.n; n++) {
		struct secret *s = NULL;

		assert_false(secret_open(box, (struct str){ sealed.p, n }, CONTEXT, &s, &err));
	}
	text_free(&sealed);
	secret_box_free(box);
}

static void
moved_or_foreign_values_are_refused(void **state UNUSED)
{
	unsigned char other_key[SECRET_KEY_BYTES] = { 9 };
	struct secret_box *box = box_make(), *other = secret_box_with_key(other_key);
	struct text sealed = TEXT_INIT(1024);
	struct secret *s = NULL;
	struct error err;

	assert_true(secret_seal(box, STR("hunter2"), CONTEXT, &sealed, &err));
	assert_false(secret_open(box, text_str(&sealed), STR("inst|uid|data|6"), &s, &err));
	assert_int_equal(err.code, ERR_CORRUPT);
	assert_false(secret_open(other, text_str(&sealed), CONTEXT, &s, &err));
	assert_int_equal(err.code, ERR_CORRUPT);
	sealed.p[2] = '2'; /* a format of the future */
	assert_false(secret_open(box, text_str(&sealed), CONTEXT, &s, &err));
	assert_string_equal(err.message, "a sealed secret has an unknown format");
	assert_false(secret_open(box, STR("plain text"), CONTEXT, &s, &err));
	assert_null(s);
	text_free(&sealed);
	secret_box_free(box);
	secret_box_free(other);
}

static void
key_file_is_made_once_and_checked(void **state UNUSED)
{
	char dir[TEMPDIR_MAX], path[TEMPDIR_MAX + 8];
	struct secret_box *box = NULL, *again = NULL;
	struct text sealed = TEXT_INIT(1024);
	struct secret *s = NULL;
	struct error err;
	struct stat st;

	tempdir_make(dir);
	(void)snprintf(path, sizeof path, "%s/key", dir);
	assert_true(secret_box_open(dir, &box, &err));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(st.st_size, 32);
	assert_true(secret_seal(box, STR("v"), CONTEXT, &sealed, &err));
	assert_true(secret_box_open(dir, &again, &err));
	assert_true(secret_open(again, text_str(&sealed), CONTEXT, &s, &err));
	secret_box_free(again);
	again = NULL;

	assert_int_equal(chmod(path, 0640), 0);
	assert_false(secret_box_open(dir, &again, &err));
	assert_int_equal(err.code, ERR_REFUSED);
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(truncate(path, 31), 0);
	assert_false(secret_box_open(dir, &again, &err));
	assert_int_equal(err.code, ERR_CORRUPT);
	assert_non_null(strstr(err.message, path));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("/etc/hostname", path), 0);
	assert_false(secret_box_open(dir, &again, &err));
	assert_int_equal(err.code, ERR_REFUSED);
	assert_null(again);

	secret_free(s);
	text_free(&sealed);
	secret_box_free(box);
	tempdir_remove(dir);
}

/* A lost key is said, not replaced: the store's secrets could never be read again. */
static void
missing_key_of_a_store_is_not_made_anew(void **state UNUSED)
{
	char dir[TEMPDIR_MAX], path[TEMPDIR_MAX + 16];
	struct secret_box *box = NULL;
	struct error err;
	int fd;

	tempdir_make(dir);
	(void)snprintf(path, sizeof path, "%s/flightdeck.db", dir);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
	assert_false(secret_box_open(dir, &box, &err));
	assert_int_equal(err.code, ERR_CORRUPT);
	assert_non_null(strstr(err.message, "is missing"));
	(void)snprintf(path, sizeof path, "%s/key", dir);
	assert_int_not_equal(access(path, F_OK), 0);
	tempdir_remove(dir);
}

enum { CROWD = 12 };

static void
crowd_that_starts_at_once_gets_one_key(void **state UNUSED)
{
	char dir[TEMPDIR_MAX];
	struct secret_box *box = NULL;
	int go[2], out[2];
	char line[512];
	struct error err;
	size_t n = 0;
	FILE *f;

	tempdir_make(dir);
	assert_int_equal(pipe2(go, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	for (int i = 0; i < CROWD; i++) {
		if (fork() == 0) {
			struct text t = TEXT_INIT(500);
			char c;

			(void)close(go[1]);
			(void)!read(go[0], &c, 1);
			if (!secret_box_open(dir, &box, &err) ||
			    !secret_seal(box, STR("v"), CONTEXT, &t, &err))
				_exit(1);
			text_add(&t, "\n");
			_exit(write(out[1], text_get(&t), t.n) == (ssize_t)t.n ? 0 : 1);
		}
	}
	(void)close(go[0]);
	(void)close(go[1]);
	(void)close(out[1]);
	for (int i = 0; i < CROWD; i++) {
		int status = -1;

		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_true(secret_box_open(dir, &box, &err));
	f = fdopen(out[0], "r");
	assert_non_null(f);
	while (fgets(line, (int)sizeof line, f) != NULL) {
		struct secret *s = NULL;

		assert_true(secret_open(box, str_trim(str_from(line)), CONTEXT, &s, &err));
		secret_free(s);
		n++;
	}
	assert_int_equal(n, CROWD);
	(void)fclose(f);
	secret_box_free(box);
	tempdir_remove(dir);
}

static void
comparison_is_by_bytes(void **state UNUSED)
{
	assert_true(secret_eq(STR("abc"), STR("abc")));
	assert_false(secret_eq(STR("abc"), STR("abd")));
	assert_false(secret_eq(STR("abc"), STR("abcd")));
	assert_true(secret_eq((struct str){ 0 }, STR("")));
}

static void
no_memory_is_an_error_and_leaks_nothing(void **state UNUSED)
{
	struct secret_box *box = box_make();
	struct text keep = TEXT_INIT(1024);
	struct error err;

	assert_true(secret_seal(box, STR("hunter2"), CONTEXT, &keep, &err));
	for (long n = 0;; n++) {
		struct text sealed = TEXT_INIT(1024);
		long before = mem_live_blocks();
		struct secret *s = NULL;
		bool ok, fired;

		assert_true(n < 100);
		mem_fault_arm(n);
		ok = secret_seal(box, STR("hunter2"), CONTEXT, &sealed, &err) &&
		     secret_open(box, text_str(&keep), CONTEXT, &s, &err);
		fired = mem_fault_fired();
		mem_fault_arm(-1);
		secret_free(s);
		text_free(&sealed);
		assert_int_equal(mem_live_blocks(), before);
		if (!fired) {
			assert_true(ok);
			break;
		}
		assert_false(ok);
		assert_int_equal(err.code, ERR_NO_MEMORY);
	}
	text_free(&keep);
	secret_box_free(box);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_answer_opens),
		cmocka_unit_test(what_is_sealed_opens_again_and_never_looks_the_same),
		cmocka_unit_test(every_flipped_bit_is_found),
		cmocka_unit_test(moved_or_foreign_values_are_refused),
		cmocka_unit_test(key_file_is_made_once_and_checked),
		cmocka_unit_test(missing_key_of_a_store_is_not_made_anew),
		cmocka_unit_test(crowd_that_starts_at_once_gets_one_key),
		cmocka_unit_test(comparison_is_by_bytes),
		cmocka_unit_test(no_memory_is_an_error_and_leaks_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
