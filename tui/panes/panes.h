#ifndef TUI_PANES_PANES_H
#define TUI_PANES_PANES_H

/*
 * All panes: constant rows for the engine of tui/pane.h. Threads: main only.
 */

#include "tui/pane.h"

extern const struct pane clusters_pane;
extern const struct pane pools_pane;
extern const struct pane gpus_pane;
extern const struct pane caches_pane;
extern const struct pane events_pane; /* of the fleet, or of a subject */
extern const struct pane classes_pane;
extern const struct pane tree_pane;	/* subject.cluster */
extern const struct pane describe_pane; /* subject kind, ns, name */
extern const struct pane yaml_pane;	/* subject kind, ns, name */
extern const struct pane why_pane;	/* subject.cluster */
extern const struct pane help_pane;

/* What the side detail and `why` both say about a cluster. */
void cluster_side(const struct view *v, const struct fleet_cluster *k, struct pen *pen);
const struct fleet_cluster *view_cluster(const struct view *v, struct str name);

#endif
