#ifndef TUI_CLI_MODEL_VERBS_H
#define TUI_CLI_MODEL_VERBS_H

/*
 * The verbs that need no backend: they know kinds and manifests alone, and store nothing.
 *
 * Threads: main only.
 */

#include "tui/cli/cli.h"

verb_fn cli_validate, cli_explain, cli_crds;

#endif
