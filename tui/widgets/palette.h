#ifndef TUI_WIDGETS_PALETTE_H
#define TUI_WIDGETS_PALETTE_H

/*
 * The palette: panes, actions, clusters, themes and key presets, found by typing a part of their
 * name. Threads: main only.
 *
 *   clusters               a pane                    aks-eu        its tree
 *   scale                  an action on the row      theme NAME    keys NAME
 *   filter TEXT            as '/'                    screen save FILE
 */

#include "tui/console.h"

struct layer *palette_new(struct console *c, const char *typed);

#endif
