#ifndef TUI_WIDGETS_FORM_H
#define TUI_WIDGETS_FORM_H

/*
 * Fields to fill in: text, numbers, one of several, some of several. A form holds the values and
 * the focus, draws itself into a rectangle, and says which keys it used; what the values mean is
 * its owner's business.
 *
 * Keys: tab, down / shift-tab, up move; left right move inside; typing types; '+' and '-' step a
 * number; space ticks; enter on a choice opens the chooser (its owner pushes it).
 *
 * Ownership: form_fini frees the choices; labels are borrowed constants.
 * Threads: main only. Limits: FORM_MAX_FIELDS fields, FIELD_MAX bytes a value.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/console.h"

enum { FORM_MAX_FIELDS = 16, FIELD_MAX = 254, FIELD_MAX_CHOICES = 2000 };

enum form_field_type { FIELD_TEXT, FIELD_NUMBER, FIELD_CHOICE, FIELD_CHECKS };

struct choice {
	char value[128];
	char label[128]; /* shown; "" means the value */
	char note[160];	 /* why it cannot be had, or what it is */
	bool off;	 /* shown, cannot be chosen */
	bool on;	 /* of FIELD_CHECKS */
};

struct form_field {
	enum form_field_type type;
	const char *label;
	char hint[160];
	char value[FIELD_MAX];
	size_t caret; /* in bytes; of FIELD_CHECKS: the choice under the cursor */
	struct choice *choices;
	size_t nchoices, cap;
	bool hidden;
	bool optional;
	bool secret_case; /* keep letters as typed; else upper case becomes lower */
	bool bad;	  /* drawn as wrong */
};

struct form {
	struct form_field fields[FORM_MAX_FIELDS];
	size_t n;
	size_t focus;
	int top;
	bool changed; /* since the owner last looked */
};

enum form_result { FORM_UNUSED, FORM_USED, FORM_PICK /* enter on a choice */, FORM_ENTER };

void form_init(struct form *f);
void form_fini(struct form *f);
struct form_field *form_add(
    struct form *f, enum form_field_type type, const char *label, const char *hint);
struct form_field *form_focus(struct form *f);
void form_focus_on(struct form *f, const struct form_field *field);
enum form_result form_key(struct form *f, struct input_key k);
void form_draw(struct form *f, struct grid *g, struct rect r, bool active);
int form_height(const struct form *f);

void field_set(struct form_field *f, struct str value);
void field_clear_choices(struct form_field *f);
/* NULL without memory or beyond FIELD_MAX_CHOICES. */
struct choice *field_choice_add(struct form_field *f, struct str value);
const struct choice *field_chosen(
    const struct form_field *f); /* NULL when the value is none of them */
bool field_number(const struct form_field *f, int64_t *ret); /* false when empty or no number */

/* A text field of its own, for prompts: edits value at caret. True when the key was used. */
bool edit_key(char *value, size_t size, size_t *caret, struct input_key k);
/* Draws it, with the cursor at the caret. */
void edit_draw(struct grid *g, struct rect r, const char *value, size_t caret, bool focus);

/* Opens the choices of a field of the layer below; sets the field's value. */
struct layer *chooser_new(struct form *form, struct form_field *field);

#endif
