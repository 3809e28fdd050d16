#ifndef TUI_WIDGETS_CHANGE_H
#define TUI_WIDGETS_CHANGE_H

/*
 * What can be changed about a cluster that is there: forms and menus, each of which ends in a
 * review. Ownership: the console frees a pushed layer. Threads: main only.
 */

#include "tui/console.h"

struct layer *scale_form_new(struct console *c, const struct subject *s);
struct layer *upgrade_form_new(struct console *c, const struct subject *s);
struct layer *taint_menu_new(struct console *c, const struct subject *s);
/* Of the row, or of all marked clusters. */
struct layer *delete_review_new(struct console *c, const struct subject *s);

#endif
