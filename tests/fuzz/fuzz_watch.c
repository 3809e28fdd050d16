/* Bytes of a watch, cut at places that the input chooses: the events do not depend on the cuts. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backend/kube/client.h"
#include "backend/kube/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t
sum_add(uint64_t sum, struct str line)
{
	for (size_t i = 0; i < line.n; i++)
		sum = (sum ^ (unsigned char)line.p[i]) * UINT64_C(1099511628211);
	return (sum ^ '\n') * UINT64_C(1099511628211);
}

static uint64_t
run(struct str bytes, size_t piece, bool decode)
{
	struct frame f;
	uint64_t sum = UINT64_C(14695981039346656037);

	frame_init(&f);
	while (bytes.n > 0) {
		struct str line;

		if (!frame_push(&f, str_sub(bytes, 0, piece), NULL))
			break;
		bytes = str_sub(bytes, piece, bytes.n);
		while (frame_next(&f, &line)) {
			struct watch_event e = { 0 };

			sum = sum_add(sum, line);
			if (decode && watch_line_decode(kube_resource("Node"), line, &e, NULL))
				object_unref(e.object);
		}
	}
	frame_fini(&f);
	return sum;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	struct str bytes = { (const char *)data + 1, size - 1 };

	if (run(bytes, size, true) != run(bytes, data[0] + (size_t)1, false))
		abort();
	return 0;
}
