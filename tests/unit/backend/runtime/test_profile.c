#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/runtime/profile.h"
#include "backend/runtime/statedir.h"
#include "model/base/mem.h"
#include "model/base/text.h"

static char root[64];
static char path_bytes[256];

static const char *
at(const char *name)
{
	(void)snprintf(path_bytes, sizeof path_bytes, "%s/%s", root, name);
	return path_bytes;
}

static int
setup(void **state UNUSED)
{
	static const char *const names[] = { "HOME", "XDG_STATE_HOME", "FLIGHTDECK_STATE_DIR",
		"FLIGHTDECK_PROFILE" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		(void)unsetenv(names[i]);
	(void)snprintf(root, sizeof root, "/tmp/fd-profile-XXXXXX");
	return mkdtemp(root) == NULL ? -1 : 0;
}

static int
teardown(void **state UNUSED)
{
	char command[128];

	/* A few levels of what the tests make; no shell. */
	(void)snprintf(command, sizeof command, "%s", root);
	static const char *const names[] = { "state/profile.yaml", "state", "real", "link", "a/b/c",
		"a/b", "a", "flightdeck/prod-1", "flightdeck/default", "flightdeck",
		".local/state/flightdeck/default", ".local/state/flightdeck", ".local/state",
		".local", "open/state", "open" };
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		(void)remove(at(names[i]));
	return remove(command);
}

static mode_t
mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

static void
load_ok(const char *name, struct profile **ret)
{
	struct error err = { 0 };

	if (!profile_load(name, ret, &err))
		fail_msg("%s", err.message);
}

static void
file_write(const char *text)
{
	int fd = open(at("state/profile.yaml"), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	assert_int_equal(close(fd), 0);
}

static void
state_make(void)
{
	(void)setenv("FLIGHTDECK_STATE_DIR", at("state"), 1);
	(void)mkdir(at("state"), 0700);
}

static void
directory_follows_the_base_directory_rules(void **state UNUSED)
{
	struct profile *p;

	(void)setenv("HOME", root, 1);
	load_ok(NULL, &p);
	assert_string_equal(p->name, "default");
	assert_string_equal(p->dir, at(".local/state/flightdeck/default"));
	assert_int_equal(mode_of(p->dir), 0700);
	assert_true(p->speed == 1 && !p->practice && p->azure_arm == NULL);
	profile_free(p);

	(void)setenv("XDG_STATE_HOME", "relative/is/ignored", 1);
	load_ok(NULL, &p);
	assert_string_equal(p->dir, at(".local/state/flightdeck/default"));
	profile_free(p);

	(void)setenv("XDG_STATE_HOME", root, 1);
	(void)setenv("FLIGHTDECK_PROFILE", "prod-1", 1);
	load_ok(NULL, &p);
	assert_string_equal(p->dir, at("flightdeck/prod-1"));
	profile_free(p);
	load_ok("default", &p);
	assert_string_equal(p->dir, at("flightdeck/default"));
	profile_free(p);

	(void)setenv("FLIGHTDECK_STATE_DIR", at("a/b/c/"), 1);
	load_ok(NULL, &p);
	assert_string_equal(p->dir, at("a/b/c"));
	assert_int_equal(mode_of(at("a")), 0700);
	profile_free(p);
}

static void
bad_names_are_refused(void **state UNUSED)
{
	static const char *const names[] = { "..", "../up", "a/b", "-x", "a b", "a\n",
		"0123456789012345678901234567890123456789012345678901234567890123" };
	struct profile *p = NULL;

	(void)setenv("HOME", root, 1);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct error err;

		assert_false(profile_load(names[i], &p, &err));
		assert_int_equal(err.code, ERR_INVALID);
		assert_null(p);
	}
}

static void
settings_are_read_and_written_back(void **state UNUSED)
{
	struct profile *p, *again;
	struct error err;

	state_make();
	file_write("practice: true\nspeed: 250.5\nepoch: 1764500000000\nworkers: 6\n"
		   "azureArm: https://127.0.0.1:8443\ncaFile: /tmp/ca.pem\n");
	load_ok(NULL, &p);
	assert_true(p->practice && !p->prod && p->speed == 250.5);
	assert_int_equal(p->epoch_ms, INT64_C(1764500000000));
	assert_int_equal(p->workers, 6);
	assert_string_equal(p->azure_arm, "https://127.0.0.1:8443");
	assert_string_equal(p->ca_file, "/tmp/ca.pem");
	p->workers = 3;
	assert_true(profile_save(p, &err));
	assert_int_equal(mode_of(at("state/profile.yaml")), 0600);
	load_ok(NULL, &again);
	assert_int_equal(again->workers, 3);
	assert_true(again->speed == 250.5 && again->practice);
	assert_string_equal(again->azure_arm, p->azure_arm);
	profile_free(again);
	profile_free(p);
}

static void
wrong_settings_name_line_and_remedy(void **state UNUSED)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{ "speed: 0\n", "profile.yaml:1: speed must be a positive number up to 1000000" },
		{ "speed: fast\n",
		    "profile.yaml:1: speed must be a positive number up to 1000000" },
		{ "prod: yes\n", "profile.yaml:1: prod must be true or false" },
		{ "\nworkers: 257\n",
		    "profile.yaml:2: workers must be a whole number in its range" },
		{ "azureArm: http://x\n", "profile.yaml:1: azureArm must be an https:// address" },
		{ "azureArm: https://127.0.0.1\n", "profile.yaml: azureArm points to this machine, "
						   "which only a practice profile may" },
		{ "colour: red\n", "profile.yaml:1: unknown setting 'colour'" },
	};
	struct profile *p = NULL;
	struct error err;

	state_make();
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		file_write(rows[i].text);
		assert_false(profile_load(NULL, &p, &err));
		assert_int_equal(err.code, ERR_INVALID);
		assert_string_equal(err.message, rows[i].message);
	}
	file_write("- a\n");
	assert_false(profile_load(NULL, &p, &err));
	assert_int_equal(err.code, ERR_INVALID);
}

static void
unsafe_directories_are_refused_and_loose_ones_tightened(void **state UNUSED)
{
	struct profile *p = NULL;
	struct error err;

	(void)setenv("FLIGHTDECK_STATE_DIR", at("state"), 1);
	assert_int_equal(mkdir(at("state"), 0755), 0);
	load_ok(NULL, &p);
	profile_free(p);
	p = NULL;
	assert_int_equal(mode_of(at("state")), 0700);

	assert_int_equal(chmod(at("state"), 0770), 0);
	assert_false(profile_load(NULL, &p, &err));
	assert_int_equal(err.code, ERR_REFUSED);
	assert_non_null(strstr(err.message, "can be written by others (mode 0770)"));
	assert_non_null(strstr(error_advice(&err), "chmod 0700"));
	assert_int_equal(mode_of(at("state")), 0770); /* looked at, not changed */

	assert_int_equal(mkdir(at("real"), 0700), 0);
	assert_int_equal(symlink("real", at("link")), 0);
	(void)setenv("FLIGHTDECK_STATE_DIR", at("link"), 1);
	assert_false(profile_load(NULL, &p, &err));
	assert_int_equal(err.code, ERR_REFUSED);
	assert_non_null(strstr(err.message, "is a symbolic link"));

	assert_int_equal(mkdir(at("open"), 0700), 0);
	assert_int_equal(chmod(at("open"), 0777), 0);
	(void)setenv("FLIGHTDECK_STATE_DIR", at("open/state"), 1);
	assert_false(profile_load(NULL, &p, &err));
	assert_int_equal(err.code, ERR_REFUSED);
	assert_null(p);
}

static void
foreign_directory_is_refused(void **state UNUSED)
{
	struct profile *p = NULL;
	struct error err;

	if (geteuid() != 0)
		skip(); /* only root can give a directory away */
	(void)setenv("FLIGHTDECK_STATE_DIR", at("state"), 1);
	assert_int_equal(mkdir(at("state"), 0700), 0);
	assert_int_equal(chown(at("state"), 12345, 12345), 0);
	assert_false(profile_load(NULL, &p, &err));
	assert_int_equal(err.code, ERR_REFUSED);
	assert_non_null(strstr(err.message, "belongs to user 12345"));
}

static void
settings_that_others_can_write_are_not_believed(void **state UNUSED)
{
	struct profile *p = NULL;
	struct error err;

	state_make();
	file_write("prod: true\n");
	assert_int_equal(chmod(at("state/profile.yaml"), 0666), 0);
	assert_false(profile_load(NULL, &p, &err));
	assert_int_equal(err.code, ERR_REFUSED);
}

static void
network_file_systems_are_known(void **state UNUSED)
{
	assert_string_equal(statedir_network_fs(0x6969), "NFS");
	assert_string_equal(statedir_network_fs(0x65735546), "FUSE");
	assert_string_equal(statedir_network_fs(0xFF534D42), "CIFS");
	assert_string_equal(statedir_network_fs(0xFFFFFFFFFF534D42), "CIFS"); /* sign-extended */
	assert_null(statedir_network_fs(0xEF53));			      /* ext4 */
	assert_null(statedir_network_fs(0x01021994));			      /* tmpfs */
	assert_null(statedir_network_fs(0x58465342));			      /* XFS */
}

static void
no_memory_is_an_error_and_leaks_nothing(void **state UNUSED)
{
	state_make();
	file_write("practice: true\nazureArm: https://127.0.0.1:1\n");
	for (long n = 0; n < 500; n++) {
		long before = mem_live_blocks();
		struct profile *p = NULL;
		struct error err = { 0 };
		bool ok, fired;

		mem_fault_arm(n);
		ok = profile_load(NULL, &p, &err);
		fired = mem_fault_fired();
		mem_fault_arm(-1);
		profile_free(p);
		assert_int_equal(mem_live_blocks(), before);
		if (!fired) {
			assert_true(ok);
			return;
		}
		assert_false(ok);
		assert_int_equal(err.code, ERR_NO_MEMORY);
	}
	fail();
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		T(directory_follows_the_base_directory_rules),
		T(bad_names_are_refused),
		T(settings_are_read_and_written_back),
		T(wrong_settings_name_line_and_remedy),
		T(unsafe_directories_are_refused_and_loose_ones_tightened),
		T(foreign_directory_is_refused),
		T(settings_that_others_can_write_are_not_believed),
		T(network_file_systems_are_known),
		T(no_memory_is_an_error_and_leaks_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
