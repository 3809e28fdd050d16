#ifndef TUI_WIZARD_WIZARD_H
#define TUI_WIZARD_WIZARD_H

/*
 * The wizard that creates a cluster: source, where, pools, labels, name, review. What the cloud
 * offers (locations, versions, VM sizes with GPUs, quotas) is asked for in the background and shown
 * when it comes; everything typed is checked at once with the rules that apply also checks; the
 * YAML that will be applied is shown as it grows; a draft is kept in the profile's folder.
 *
 * Ownership: the console frees a pushed layer. Threads: main only.
 */

#include "tui/console.h"

/* like: a cluster to copy the settings of, or NULL. */
struct layer *wizard_new(struct console *c, const char *like);

#endif
