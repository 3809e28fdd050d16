#include "helper_shared.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/base/mem.h"

enum { SHARED_MAX_BYTES = 16 * 1024 * 1024 };

char *
shared_read(const char *name, size_t *ret_bytes)
{
	const char *root = getenv("FLIGHTDECK_SHARED");
	struct text path = TEXT_INIT(4096);
	char *bytes = NULL;
	FILE *f;

	text_add(&path, root != NULL ? root : TEST_SOURCE_DIR "/../shared");
	text_add_char(&path, '/');
	text_add(&path, name);
	f = fopen(text_get(&path), "rb");
	text_free(&path);
	if (f == NULL)
		return NULL;
	bytes = mem_new(SHARED_MAX_BYTES);
	if (bytes != NULL)
		*ret_bytes = fread(bytes, 1, SHARED_MAX_BYTES, f);
	(void)fclose(f);
	return bytes;
}
