/*
 * Sizes against layout: any width and height, any pane, any number of rows and pools, any text in
 * the rows. Draws once; the sanitizers watch.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/fleet.h"
#include "tui/console.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_ROWS = 64 };

static uint64_t
submit(void *context, struct request **take, struct error *err)
{
	(void)context;
	(void)err;
	request_free(*take);
	*take = NULL;
	return 1;
}

static void
discard(void *context)
{
	(void)context;
}

static int64_t
number(uint8_t b)
{
	return b == 0 ? -1 : (int64_t)b * b;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fleet_cluster clusters[MAX_ROWS];
	static struct fleet_pool pools[MAX_ROWS];
	static struct fleet_gpu_type types[1];
	struct console_io io = { .submit = submit, .discard = discard };
	struct console c;
	struct grid g = { .w = 0 };
	struct fleet f = { .revision = 1, .connected = true };
	size_t n;

	if (size < 16)
		return 0;
	n = data[2] % MAX_ROWS;
	for (size_t i = 0; i < n; i++) {
		struct str text = { (const char *)data + 8, size - 8 };

		clusters[i] = (struct fleet_cluster){ .name = text,
			.message = text,
			.labels = text,
			.state = (enum fleet_state)(data[3] % FLEET__MAX),
			.nodes_ready = number(data[4]),
			.nodes_wanted = number(data[5]),
			.gpus = number(data[6]),
			.gpus_free = number(data[7]),
			.steps_done = data[4],
			.steps_total = data[5],
			.first_pool = (uint32_t)i,
			.npools = 1 };
		pools[i] = (struct fleet_pool){ .cluster = (uint32_t)i,
			.cluster_name = text,
			.name = text,
			.nodes_ready = number(data[5]),
			.nodes_wanted = number(data[4]),
			.nodes_free = number(data[7]),
			.gpus_per_node = number(data[6]),
			.gpus_observed = number(data[4]),
			.gpus_claimed = number(data[6]),
			.state = (enum fleet_state)(data[7] % FLEET__MAX) };
	}
	types[0] = (struct fleet_gpu_type){ .type = STR("H100"),
		.gpus = number(data[4]),
		.claimed = number(data[5]),
		.free = number(data[6]) };
	f.clusters = clusters;
	f.nclusters = n;
	f.pools = pools;
	f.npools = n;
	f.gpu_types = types;
	f.ngpu_types = 1;
	if (!console_init(&c, &io, NULL))
		return 0;
	c.fleet = &f; /* borrowed: taken away again before the console ends */
	c.now_ms = 1767225600000;
	if (grid_resize(&g, data[0] * 2, data[1], NULL)) {
		for (uint32_t key = '1'; key <= '6'; key++) {
			console_key(&c, (struct input_key){ key, false });
			console_draw(&c, &g);
		}
		console_key(&c, (struct input_key){ '1', false });
		console_key(&c, (struct input_key){ (uint32_t)(unsigned char)"xXsDt?:n"[data[3] % 8], false });
		console_draw(&c, &g);
	}
	c.fleet = NULL;
	console_fini(&c);
	grid_fini(&g);
	return 0;
}
