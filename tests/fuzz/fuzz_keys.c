/*
 * Bytes from a terminal into the console: no byte sequence writes, crashes or gets stuck. The first
 * two bytes choose the size; the rest is typed.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tui/console.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t
submit(void *context, struct request **take, struct error *err)
{
	static uint64_t id;
	const struct request *r = *take;

	(void)context;
	(void)err;
	/* on an empty fleet there is nothing to confirm: whatever is sent may only ask */
	if (!r->dry_run && (r->verb == REQUEST_DELETE || r->verb == REQUEST_SCALE ||
			       r->verb == REQUEST_TAINT || r->verb == REQUEST_UPGRADE))
		abort();
	request_free(*take);
	*take = NULL;
	return ++id;
}

static void
discard(void *context)
{
	input_discard(context);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in;
	struct console_io io = { .context = &in, .submit = submit, .discard = discard };
	struct console c;
	struct grid g = { .w = 0 };
	size_t at = 2;

	if (size < 3 || size > 4096)
		return 0;
	input_init(&in);
	if (!console_init(&c, &io, NULL))
		return 0;
	c.now_ms = 1767225600000;
	if (grid_resize(&g, data[0], data[1], NULL))
		while (at < size) {
			struct input_key k;

			at += input_feed(&in, data + at, size - at < 64 ? size - at : 64);
			while (!c.quit && input_next(&in, &k)) {
				c.mono_ms += 5;
				console_key(&c, k);
			}
			input_timeout(&in);
			console_draw(&c, &g);
			if (c.quit)
				break;
		}
	console_fini(&c);
	grid_fini(&g);
	return 0;
}
