#ifndef TUI_WIZARD_WIZARD_INT_H
#define TUI_WIZARD_WIZARD_INT_H

/*
 * Shared by the files of the wizard. The forms hold what was entered; everything else is derived
 * from them: the manifests (draft.c), the problems (checks.c), the file in the drafts folder
 * (store.c). What the cloud offers is kept in `choices` and put into the forms (choices.c).
 *
 * Threads: main only.
 */

#include "tui/widgets/form.h"
#include "tui/wizard/wizard.h"

enum step { STEP_SOURCE, STEP_WHERE, STEP_POOLS, STEP_LABELS, STEP_NAME, STEP_REVIEW, STEP__MAX };

enum {
	WIZARD_MAX_POOLS = 8,
	WIZARD_MAX_SIZES = 400,
	WIZARD_MAX_QUOTAS = 400,
	WIZARD_MAX_DRAFTS = 64,
	WIZARD_TEXT_MAX = 64 * 1024,
	WIZARD_MAX_ZONES = 4,
};

/* Fields, in the order in which the forms are made. */
enum source_field { SOURCE_SOURCE, SOURCE_DRAFT };
enum where_field { WHERE_CONFIG, WHERE_LOCATION, WHERE_VERSION };
enum pool_field { POOL_CLASS, POOL_NAME, POOL_NODES, POOL_MIN, POOL_MAX, POOL_ZONES, POOL_FABRIC };
enum labels_field { LABELS_LABELS, LABELS_TAINTS };

struct vm_size {
	char name[96], family[96], accelerator[64], memory[32];
	char restricted[128]; /* why it cannot be had, or empty */
	int64_t gpus, vcpus;
	char zones[WIZARD_MAX_ZONES][16];
	size_t nzones;
	bool rdma;
};

/* What a class says about a GPU beyond what the cloud tells. */
struct gpu_fact {
	const char *word, *also; /* parts of the size's name or accelerator; also may be NULL */
	const char *name;	 /* "A10", for people and names of pools */
	const char *type;	 /* label */
	const char *architecture, *capability, *memory;
};

struct quota {
	char family[96];
	int64_t used, limit;
};

struct choices {
	struct vm_size sizes[WIZARD_MAX_SIZES];
	size_t nsizes;
	struct quota quotas[WIZARD_MAX_QUOTAS];
	size_t nquotas;
	bool has_sizes;
	uint64_t pending;	   /* the request that is under way */
	char asked[FIELD_MAX * 2]; /* config and location it was for */
	struct error err;
};

struct wizard {
	struct layer layer;
	enum step step;
	struct form source, where, labels, name;
	struct form pools[WIZARD_MAX_POOLS];
	bool pool_named[WIZARD_MAX_POOLS];  /* its name was typed, not suggested */
	bool pool_ranged[WIZARD_MAX_POOLS]; /* so was its floor or ceiling */
	bool name_typed;
	size_t npools, pool;
	struct choices choices;
	char from_drafts[FIELD_MAX]; /* name under which the draft is kept, or empty */
	int64_t saved_ms;
	bool show_yaml;

	/* derived, by wizard_derive */
	struct arena *arena;
	struct text yaml;
	struct problems problems;
	struct problem_note {
		enum step step;
		int pool;  /* or -1 */
		int field; /* of the form, or -1 */
		bool error;
		char text[400];
	} notes[48];
	size_t nnotes, nerrors, nwarnings;

	uint64_t plan_id, clone_id;
	struct error plan_err;
	char same_name[FIELD_MAX]; /* of the cluster being made, for what comes after */
};

/* steps.c */
void steps_init(struct wizard *w, struct console *c);
struct form *step_form(struct wizard *w); /* of the present step; NULL at the review */
void pool_init(struct wizard *w, size_t i);
const char *step_title(enum step s);
void step_summary(const struct wizard *w, enum step s, struct text *out);
/* Suggests names, hides what does not apply; after each change. */
void steps_adjust(struct wizard *w, const struct console *c);

/* choices.c */
void choices_ask(struct wizard *w, struct console *c);
bool choices_reply(struct wizard *w, struct console *c, const struct reply *r);
void choices_to_pool(struct wizard *w, const struct console *c, size_t pool);
const struct vm_size *pool_size(const struct wizard *w, const struct console *c, size_t pool);
const struct quota *quota_find(const struct wizard *w, const char *family);
void class_name_for(const char *size, char out[FIELD_MAX]);

/* draft.c */
/* NULL when nothing is known about the size's GPU: then no class can be made from it. */
const struct gpu_fact *gpu_fact_find(const struct vm_size *s);
void draft_write(
    const struct wizard *w, const struct console *c, struct arena *a, struct text *out);
/* load.c */
bool draft_read(
    struct wizard *w, struct console *c, struct str yaml, bool keep_name, struct error *err);

/* checks.c */
void wizard_derive(struct wizard *w, const struct console *c);

/* store.c */
bool draft_save(struct wizard *w, const struct console *c, struct error *err);
bool draft_load(struct wizard *w, struct console *c, const char *name, struct error *err);
void draft_forget(struct wizard *w, const struct console *c);
void drafts_list(const struct console *c, struct form_field *to);

#endif
