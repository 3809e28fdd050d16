#include "backend/sim/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/sim/files.h"
#include "backend/sim/simtime.h"
#include "backend/sim/tls.h"
#include "model/base/mem.h"
#include "model/json.h"

enum { LINE_MAX_BYTES = 64 * 1024, ARENA_MAX = 256 * 1024 * 1024 };

struct ledger {
	pthread_mutex_t lock; /* guards the fields below */
	int fd;
	int bodies_fd; /* -1 when not wanted */
	int64_t size;
	char *dir;
};

static int
ledger_file(const char *dir, const char *name)
{
	struct text path = TEXT_INIT(4096);
	int fd;

	text_printf(&path, "%s/%s", dir, name);
	fd = open(text_get(&path), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	text_free(&path);
	return fd;
}

bool
ledger_open(const char *dir, bool bodies, struct ledger **ret_ledger, struct error *err)
{
	struct ledger *l = mem_new(sizeof(*l));
	struct stat st = { 0 };

	if (l == NULL)
		return error_set(err, ERR_NO_MEMORY, "ledger: out of memory");
	(void)pthread_mutex_init(&l->lock, NULL); /* cannot fail with default attributes */
	l->dir = mem_dupz(dir);
	l->fd = ledger_file(dir, "requests.jsonl");
	l->bodies_fd = bodies ? ledger_file(dir, "bodies.jsonl") : -1;
	if (l->dir == NULL || l->fd < 0 || (bodies && l->bodies_fd < 0)) {
		ledger_close(l);
		return error_set(err, ERR_IO, "ledger: cannot open a file in '%s'", dir);
	}
	if (fstat(l->fd, &st) == 0)
		l->size = (int64_t)st.st_size;
	*ret_ledger = l;
	return true;
}

void
ledger_close(struct ledger *l)
{
	if (l == NULL)
		return;
	if (l->fd >= 0)
		(void)close(l->fd);
	if (l->bodies_fd >= 0)
		(void)close(l->bodies_fd);
	(void)pthread_mutex_destroy(&l->lock);
	mem_free(l->dir);
	mem_free(l);
}

/* Starts a new file when this one is full. The lock is held. */
static void
ledger_turn(struct ledger *l)
{
	struct text from = TEXT_INIT(4096), to = TEXT_INIT(4096);
	int fd;

	text_printf(&from, "%s/requests.jsonl", l->dir);
	text_printf(&to, "%s/requests.1.jsonl", l->dir);
	if (rename(text_get(&from), text_get(&to)) == 0) {
		fd = ledger_file(l->dir, "requests.jsonl");
		if (fd >= 0) {
			(void)close(l->fd);
			l->fd = fd;
			l->size = 0;
		}
	}
	text_free(&from);
	text_free(&to);
}

static void
line_write(struct ledger *l, struct str line, struct str body_line)
{
	(void)pthread_mutex_lock(&l->lock);
	if (l->size > LEDGER_MAX / 2)
		ledger_turn(l);
	if (write(l->fd, line.p, line.n) == (ssize_t)line.n) /* a full disk loses the line */
		l->size += (int64_t)line.n;
	if (l->bodies_fd >= 0 && body_line.n > 0 &&
	    write(l->bodies_fd, body_line.p, body_line.n) != (ssize_t)body_line.n)
		l->size += 0; /* the same */
	(void)pthread_mutex_unlock(&l->lock);
}

static struct node *
row_node(struct arena *a, const struct ledger_row *row)
{
	struct node *n = node_map(a);
	struct text at = TEXT_INIT(64);
	char hash[65] = "";

	simtime_add(&at, row->at_ms);
	if (row->body.n > 0)
		sha256_hex(row->body, hash);
	node_set_strz(a, n, "time", text_get(&at));
	node_set_int(a, n, "timeMs", row->at_ms);
	node_set_int(a, n, "realMs", simtime_real_ms());
	node_set_strz(a, n, "service", row->service);
	node_set(a, n, "method", node_str(a, row->method));
	node_set(a, n, "path", node_str(a, row->path));
	node_set(a, n, "query", node_str(a, row->query));
	node_set(a, n, "apiVersion", node_str(a, row->api_version));
	node_set_int(a, n, "status", row->status);
	node_set_bool(a, n, "acting", row->acting);
	node_set_bool(a, n, "applied", row->applied);
	node_set(a, n, "credential", node_str(a, row->who));
	node_set_int(a, n, "connection", row->connection);
	node_set(a, n, "clientRequestId", node_str(a, row->client_request_id));
	node_set_strz(a, n, "bodyHash", hash);
	if (row->fault != NULL)
		node_set_strz(a, n, "fault", row->fault);
	text_free(&at);
	return n;
}

void
ledger_add(struct ledger *l, const struct ledger_row *row)
{
	struct arena *a = arena_new(LINE_MAX_BYTES);
	struct text line = TEXT_INIT(LINE_MAX_BYTES);
	struct text body = TEXT_INIT((size_t)32 * 1024 * 1024);

	if (a != NULL) {
		struct node *n = row_node(a, row);

		json_write(&line, n, JSON_COMPACT);
		text_add_char(&line, '\n');
		if (l->bodies_fd >= 0 && row->body.n > 0 && str_is(str_from(row->service), "arm")) {
			text_add_str(&body, str_sub(text_str(&line), 0, line.n - 2));
			text_add(&body, ",\"body\":");
			text_add_str(&body, row->body);
			text_add(&body, "}\n");
		}
		if (!arena_failed(a))
			line_write(l, text_str(&line), text_str(&body));
	}
	text_free(&line);
	text_free(&body);
	arena_free(a);
}

static void
row_print(const struct node *n, bool json, bool first, struct text *out)
{
	int64_t status = node_get_int(node_find(n, "status"), 0);
	struct str service = node_get_str(node_find(n, "service"));
	struct str method = node_get_str(node_find(n, "method"));

	if (json) {
		text_add(out, first ? "\n" : ",\n");
		json_write(out, n, JSON_COMPACT);
		return;
	}
	text_add_str(out, node_get_str(node_find(n, "time")));
	text_printf(out, "  %-8.*s %-7.*s %3lld %-6s %s ", STR_ARG(service), STR_ARG(method),
	    (long long)status, node_get_bool(node_find(n, "acting"), false) ? "acting" : "read",
	    node_get_bool(node_find(n, "applied"), false) ? "*" : " ");
	text_add_str(out, node_get_str(node_find(n, "path")));
	text_add_char(out, '\n');
}

bool
ledger_print(const char *dir, bool json, bool acting_only, struct text *out, struct error *err)
{
	struct arena *a = arena_new(ARENA_MAX);
	struct text bytes = TEXT_INIT(LEDGER_MAX);
	struct str rest, line;
	bool first = true;
	bool ok = false;

	if (a == NULL) {
		error_set(err, ERR_NO_MEMORY, "ledger: out of memory");
		goto out;
	}
	if (!file_read_in(dir, "requests.jsonl", &bytes, err))
		goto out;
	if (json)
		text_add(out, "[");
	rest = text_str(&bytes);
	while (str_split(&rest, '\n', &line)) {
		struct node *n = NULL;

		arena_clear(a);
		if (line.n == 0 || !json_parse(a, line, &n, NULL))
			continue; /* a line that is being written */
		if (acting_only && !node_get_bool(node_find(n, "acting"), false))
			continue;
		row_print(n, json, first, out);
		first = false;
	}
	if (json)
		text_add(out, "\n]\n");
	ok = text_ok(out, "ledger", err);
out:
	text_free(&bytes);
	arena_free(a);
	return ok;
}
