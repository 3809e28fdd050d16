#include "model/node_keys.h"

#include <stdlib.h>

#include "model/base/mem.h"

enum { SMALL_MAP = 16 }; /* below this, comparing each with each is quicker than sorting */

static int
by_key(const void *a, const void *b)
{
	const struct node *x = *(const struct node *const *)a;
	const struct node *y = *(const struct node *const *)b;

	return str_cmp(x->key, y->key);
}

/* Equal keys in the order of the document: place decides, as both readers set it. */
static int
by_key_and_place(const void *a, const void *b)
{
	const struct node *x = *(const struct node *const *)a;
	const struct node *y = *(const struct node *const *)b;
	int order = str_cmp(x->key, y->key);

	if (order != 0)
		return order;
	if (x->key_line != y->key_line)
		return x->key_line < y->key_line ? -1 : 1;
	return x->key_column < y->key_column ? -1 : x->key_column > y->key_column;
}

static const struct node **
elements(const struct node *map, int (*order)(const void *, const void *))
{
	size_t n = node_count(map);
	const struct node **all = mem_array(n, sizeof(const struct node *));
	size_t i = 0;

	if (all == NULL)
		return NULL;
	for (const struct node *x = node_first(map); x != NULL; x = x->next)
		all[i++] = x;
	qsort(all, n, sizeof(const struct node *), order);
	return all;
}

const struct node **
node_sorted(const struct node *map)
{
	return elements(map, by_key);
}

static void
find_in_small(const struct node *map, const struct node **ret_first, const struct node **ret_second)
{
	for (const struct node *y = node_first(map); y != NULL; y = y->next) {
		for (const struct node *x = node_first(map); x != y; x = x->next) {
			if (str_eq(x->key, y->key)) {
				*ret_first = x;
				*ret_second = y;
				return;
			}
		}
	}
}

bool
node_find_duplicate(const struct node *map, const struct node **ret_first,
    const struct node **ret_second, struct error *err)
{
	size_t n = node_count(map);
	const struct node **all;

	*ret_first = NULL;
	*ret_second = NULL;
	if (n <= SMALL_MAP) {
		find_in_small(map, ret_first, ret_second);
		return true;
	}
	all = elements(map, by_key_and_place);
	if (all == NULL)
		return error_set(err, ERR_NO_MEMORY, "no memory to compare %zu keys", n);
	for (size_t i = 1; i < n && *ret_first == NULL; i++) {
		if (str_eq(all[i - 1]->key, all[i]->key)) {
			*ret_first = all[i - 1];
			*ret_second = all[i];
		}
	}
	mem_free(all);
	return true;
}
