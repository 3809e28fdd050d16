/* What an answer's headers and a request's target are made of. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backend/net/http.h"
#include "backend/net/server_int.h"
#include "model/base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size };
	struct http_response r = { .headers = { .limit = 1024 * 1024 } };
	struct arena *a = arena_new(1024 * 1024);
	struct server_param *params = NULL;
	char *path = NULL;

	text_add_str(&r.headers, bytes);
	int64_t wait = http_retry_after_ms(&r);

	if (wait < -1 || wait > INT64_C(24) * 3600 * 1000)
		abort();
	struct str date = http_response_header(&r, "date");

	if (date.n > size)
		abort();
	if (path_decode(bytes, &path)) {
		if (path[0] != '/' || strlen(path) > size || !utf8_valid(str_from(path)))
			abort();
		mem_free(path);
	}
	if (a != NULL && query_parse(a, bytes, &params)) {
		int n = 0;

		for (const struct server_param *p = params; p != NULL; p = p->next, n++) {
			if (strlen(p->name) + strlen(p->value) > size)
				abort();
		}
		if (n > SERVER_MAX_PARAMS)
			abort();
	}
	arena_free(a);
	http_response_fini(&r);
	return 0;
}
