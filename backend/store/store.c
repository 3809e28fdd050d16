#include "backend/store/store.h"

#include <stddef.h>

#include "model/base/mem.h"

static bool
refuse_write(const struct store *st, struct error *err)
{
	if (!st->read_only)
		return false;
	error_set(err, ERR_READ_ONLY, "this store is open for reading only");
	return true;
}

bool
store_get(struct store *st, const struct resource *res, struct str ns, struct str name,
    const struct object **ret_object, struct error *err)
{
	return st->ops->get(st, res, ns, name, ret_object, err);
}

bool
store_list(struct store *st, const struct resource *res, const struct list_options *opt,
    struct object_list *ret_list, struct error *err)
{
	static const struct list_options all = { 0 };

	return st->ops->list(st, res, opt != NULL ? opt : &all, ret_list, err);
}

bool
store_create(struct store *st, const struct resource *res, const struct node *value,
    const struct actor *actor, const struct object **ret_object, struct error *err)
{
	return !refuse_write(st, err) && st->ops->create(st, res, value, actor, ret_object, err);
}

/* NOLINTBEGIN(readability-function-size): as in store.h */
bool
store_update(struct store *st, const struct resource *res, const struct node *value,
    enum update_part part, const struct actor *actor, const struct object **ret_object,
    struct error *err)
{
	return !refuse_write(st, err) &&
	       st->ops->update(st, res, value, part, actor, ret_object, err);
}
/* NOLINTEND(readability-function-size) */

/* NOLINTBEGIN(readability-function-size): as in store.h */
bool
store_delete(struct store *st, const struct resource *res, struct str ns, struct str name,
    const struct delete_options *opt, const struct actor *actor, struct error *err)
{
	static const struct delete_options plain = { 0 };

	return !refuse_write(st, err) &&
	       st->ops->remove(st, res, ns, name, opt != NULL ? opt : &plain, actor, err);
}
/* NOLINTEND(readability-function-size) */

/* NOLINTBEGIN(readability-function-size): as in store.h */
bool
store_apply(struct store *st, const struct resource *res, const struct node *value, bool force,
    const struct actor *actor, const struct object **ret_object, struct error *err)
{
	return !refuse_write(st, err) &&
	       st->ops->apply(st, res, value, force, actor, ret_object, err);
}
/* NOLINTEND(readability-function-size) */

bool
store_watch(struct store *st, const struct resource *res, const struct list_options *opt,
    int64_t from, struct watch **ret_watch, struct error *err)
{
	static const struct list_options all = { 0 };

	return st->ops->watch(st, res, opt != NULL ? opt : &all, from, ret_watch, err);
}

void
store_close(struct store *st)
{
	if (st != NULL)
		st->ops->close(st);
}

bool
watch_next(struct watch *w, int timeout_ms, struct watch_event *ret_event, struct error *err)
{
	return w->ops->next(w, timeout_ms, ret_event, err);
}

void
watch_wake(struct watch *w)
{
	w->ops->wake(w);
}

void
watch_free(struct watch *w)
{
	if (w != NULL)
		w->ops->free(w);
}

void
object_list_fini(struct object_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		object_unref(l->items[i]);
	mem_free(l->items);
	mem_free(l->next);
	*l = (struct object_list){ 0 };
}
