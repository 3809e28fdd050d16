#ifndef TUI_CLI_COLUMNS_H
#define TUI_CLI_COLUMNS_H

/*
 * Printer columns: what a kind's table says about a cell, evaluated on an object. The paths are
 * those that kubectl takes: ".spec.a", ".spec.list[0].b",
 * ".status.conditions[?(@.type=='Ready')].status".
 *
 * Ownership: results borrow from the object or live in the arena. Threads: pure.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/schema.h"

/* NULL when nothing is there. */
const struct node *column_find(const struct node *object, const char *path);
/* Text of a cell; dates as ages at now_ms. Empty when nothing is there. */
struct str column_text(
    struct arena *a, const struct node *object, const struct column_def *column, int64_t now_ms);
/* Columns about the framework that a kind may be hosted by say nothing here. */
bool column_is_ours(const struct column_def *column);
bool columns_have(const struct kind *k, const char *title);

#endif
