#ifndef TUI_INPUT_H
#define TUI_INPUT_H

/*
 * Bytes from the terminal become keys. A state machine of our own, because the terminal's answers
 * must never act as keys, pasted text must be told apart from typed text, both cursor forms
 * (ESC [ B and ESC O B) must work, and the end of the terminal must be seen.
 *
 * A key is one number: a Unicode character, or one of enum key_code, with modifiers in the high
 * bits. Control characters come out as the letter with KEY_CTRL.
 *
 * A lone ESC is only known by the silence after it: input_timeout (25 ms after the last byte) says
 * so. Control strings (OSC, DCS, APC ...), mouse reports, focus reports and sequences nobody knows
 * are swallowed whole.
 *
 * Ownership: a value. Threads: main only. Limits: a sequence has at most INPUT_SEQ_MAX bytes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum key_code {
	KEY_NONE = 0,
	KEY_SPECIAL = 0x110000, /* above Unicode */
	KEY_ENTER,
	KEY_TAB,
	KEY_BACKTAB,
	KEY_ESC,
	KEY_BACKSPACE,
	KEY_DELETE,
	KEY_INSERT,
	KEY_UP,
	KEY_DOWN,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_HOME,
	KEY_END,
	KEY_PGUP,
	KEY_PGDN,
	KEY_F0,
	KEY_F12 = KEY_F0 + 12,
	KEY__LAST,
};

#define KEY_CTRL  (1U << 24)
#define KEY_ALT	  (1U << 25)
#define KEY_SHIFT (1U << 26)
#define KEY_MODS  (KEY_CTRL | KEY_ALT | KEY_SHIFT)

enum { INPUT_SEQ_MAX = 64, INPUT_QUEUE_MAX = 512, INPUT_ESC_MS = 25, INPUT_PASTE_MS = 10000 };

struct input_key {
	uint32_t key;
	bool pasted;
};

struct input {
	int state;
	unsigned char seq[INPUT_SEQ_MAX];
	size_t nseq;
	bool string_esc; /* an ESC inside a control string */
	bool pasting;
	uint32_t utf8;
	int utf8_left;
	struct input_key queue[INPUT_QUEUE_MAX];
	size_t head, count;
};

void input_init(struct input *in);
/* Takes as many bytes as fit the queue; returns how many (feed the rest after draining). */
size_t input_feed(struct input *in, const unsigned char *bytes, size_t n);
/* 25 ms passed without a byte: a lone ESC is the Esc key. */
void input_timeout(struct input *in);
/* INPUT_PASTE_MS passed without a byte of a paste: its end is lost, and what comes is typed. */
void input_paste_stalled(struct input *in);
bool input_is_waiting(const struct input *in); /* an ESC without what follows */
bool input_next(struct input *in, struct input_key *ret);
/* Forgets keys that were typed before a question was asked. */
void input_discard(struct input *in);

#endif
