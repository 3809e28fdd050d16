#ifndef TUI_WIDGETS_PROMPT_H
#define TUI_WIDGETS_PROMPT_H

/*
 * The line at the foot in which a filter or a search is typed; rows follow as you type. Enter keeps
 * it, esc puts the one before back. Threads: main only.
 */

#include "tui/console.h"

struct layer *filter_prompt_new(struct console *c);

#endif
