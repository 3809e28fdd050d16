#include "tui/input.h"

#include <string.h>

#include "model/base/macros.h"

enum state {
	ST_GROUND,
	ST_ESC,	   /* ESC seen */
	ST_CSI,	   /* ESC [ */
	ST_SS3,	   /* ESC O */
	ST_LINUX,  /* ESC [ [ */
	ST_STRING, /* OSC, DCS, SOS, PM, APC: up to ST or BEL */
	ST_MOUSE,  /* ESC [ M and three bytes */
};

struct tilde {
	int number;
	uint32_t key;
};

/* clang-format off */
static const struct tilde tildes[] = {
	{ 1, KEY_HOME }, { 2, KEY_INSERT }, { 3, KEY_DELETE }, { 4, KEY_END },
	{ 5, KEY_PGUP }, { 6, KEY_PGDN },   { 7, KEY_HOME },   { 8, KEY_END },
	{ 11, KEY_F0 + 1 },  { 12, KEY_F0 + 2 },  { 13, KEY_F0 + 3 },  { 14, KEY_F0 + 4 },
	{ 15, KEY_F0 + 5 },  { 17, KEY_F0 + 6 },  { 18, KEY_F0 + 7 },  { 19, KEY_F0 + 8 },
	{ 20, KEY_F0 + 9 },  { 21, KEY_F0 + 10 }, { 23, KEY_F0 + 11 }, { 24, KEY_F0 + 12 },
};
static const struct tilde finals[] = {
	{ 'A', KEY_UP }, { 'B', KEY_DOWN }, { 'C', KEY_RIGHT }, { 'D', KEY_LEFT },
	{ 'H', KEY_HOME }, { 'F', KEY_END }, { 'Z', KEY_BACKTAB }, { 'M', KEY_ENTER },
	{ 'P', KEY_F0 + 1 }, { 'Q', KEY_F0 + 2 }, { 'R', KEY_F0 + 3 }, { 'S', KEY_F0 + 4 },
};
/* clang-format on */

static uint32_t
lookup(const struct tilde *rows, size_t n, int number)
{
	for (size_t i = 0; i < n; i++)
		if (rows[i].number == number)
			return rows[i].key;
	return KEY_NONE;
}

void
input_init(struct input *in)
{
	memset(in, 0, sizeof(*in));
	in->state = ST_GROUND;
}

static void
emit(struct input *in, uint32_t key)
{
	size_t at;

	if (key == KEY_NONE || in->count == INPUT_QUEUE_MAX)
		return;
	at = (in->head + in->count) % INPUT_QUEUE_MAX;
	in->queue[at] = (struct input_key){ key, in->pasting };
	in->count++;
}

static uint32_t
control_key(unsigned char b)
{
	switch (b) {
	case '\r':
	case '\n':
		return KEY_ENTER;
	case '\t':
		return KEY_TAB;
	case 0x7F:
	case 0x08:
		return KEY_BACKSPACE;
	case 0:
		return ' ' | KEY_CTRL;
	default:
		if (b < 27)
			return (uint32_t)('a' + b - 1) | KEY_CTRL;
		return (uint32_t)(b + 64) | KEY_CTRL;
	}
}

/* xterm's modifier parameter: 1 + shift + 2 alt + 4 ctrl. */
static uint32_t
modifiers(int n)
{
	uint32_t mods = 0;

	if (n < 2 || n > 16)
		return 0;
	n--;
	if (n & 1)
		mods |= KEY_SHIFT;
	if (n & 2)
		mods |= KEY_ALT;
	if (n & 4)
		mods |= KEY_CTRL;
	return mods;
}

enum { MAX_PARAMS = 4 };

/* Numbers between semicolons; false for an answer (private or intermediate bytes), not a key. */
static bool
params_read(const struct input *in, int params[MAX_PARAMS], size_t *ret_last)
{
	size_t n = 0;

	for (size_t i = 0; i < in->nseq; i++) {
		unsigned char b = in->seq[i];

		if (b == ';')
			n += n + 1 < MAX_PARAMS ? 1 : 0;
		else if (b < '0' || b > '9')
			return false;
		else if (params[n] < 1000)
			params[n] = params[n] * 10 + (b - '0');
	}
	*ret_last = n;
	return true;
}

/* ESC [ with parameters in seq, ended by `final`. */
static void
csi_end(struct input *in, unsigned char final)
{
	int params[MAX_PARAMS] = { 0, 0, 0, 0 };
	size_t n = 0;
	uint32_t key = KEY_NONE;

	if (!params_read(in, params, &n))
		return;
	if (final == '~' && params[0] == 200) {
		in->pasting = true;
		return;
	}
	if (final == '~' && params[0] == 201) {
		in->pasting = false;
		return;
	}
	if (final == '~') {
		key = lookup(tildes, ARRAY_LEN(tildes), params[0]);
	} else if (final == 'R' && n > 0 && params[0] != 1) {
		return; /* a cursor position report */
	} else {
		key = lookup(finals, ARRAY_LEN(finals), final);
		if (final == 'M')
			key = KEY_NONE;
	}
	if (key != KEY_NONE && !in->pasting)
		emit(in, key | modifiers(n > 0 ? params[1] : 0));
}

static void
ground_byte(struct input *in, unsigned char b)
{
	if (in->utf8_left > 0) {
		if ((b & 0xC0) == 0x80) {
			in->utf8 = in->utf8 << 6 | (b & 0x3FU);
			if (--in->utf8_left == 0 && in->utf8 >= 0x80 && in->utf8 < KEY_SPECIAL)
				emit(in, in->utf8);
			return;
		}
		in->utf8_left = 0;
	}
	if (b < 0x20 || b == 0x7F) {
		emit(in, control_key(b));
	} else if (b < 0x80) {
		emit(in, b);
	} else if (b >= 0xC2 && b < 0xE0) {
		in->utf8 = b & 0x1FU;
		in->utf8_left = 1;
	} else if (b >= 0xE0 && b < 0xF0) {
		in->utf8 = b & 0x0FU;
		in->utf8_left = 2;
	} else if (b >= 0xF0 && b < 0xF5) {
		in->utf8 = b & 0x07U;
		in->utf8_left = 3;
	}
}

static void
esc_byte(struct input *in, unsigned char b)
{
	in->nseq = 0;
	in->string_esc = false;
	in->state = ST_GROUND;
	switch (b) {
	case '[':
		in->state = ST_CSI;
		return;
	case 'O':
		in->state = ST_SS3;
		return;
	case ']':
	case 'P':
	case 'X':
	case '^':
	case '_':
		in->state = ST_STRING;
		return;
	case 0x1B:
		if (!in->pasting)
			emit(in, KEY_ESC);
		in->state = ST_ESC;
		return;
	default:
		break;
	}
	if (in->pasting || b >= 0x80)
		return;
	if (b < 0x20 || b == 0x7F)
		emit(in, control_key(b) | KEY_ALT);
	else
		emit(in, (uint32_t)b | KEY_ALT);
}

static void
csi_byte(struct input *in, unsigned char b)
{
	if (b == 0x1B) {
		in->state = ST_ESC;
		return;
	}
	if (b == '[' && in->nseq == 0) {
		in->state = ST_LINUX;
		return;
	}
	if (b == 'M' && in->nseq == 0) {
		in->state = ST_MOUSE;
		return;
	}
	if (b >= 0x40 && b < 0x7F) {
		in->state = ST_GROUND;
		csi_end(in, b);
		return;
	}
	if (b < 0x20 || b >= 0x7F) { /* broken off */
		in->state = ST_GROUND;
		return;
	}
	if (in->nseq < INPUT_SEQ_MAX)
		in->seq[in->nseq++] = b;
}

static void
string_byte(struct input *in, unsigned char b)
{
	/* an end of line or Ctrl-C never stands in a control string: somebody typed ESC ] */
	if (b == 0x07 || b == '\r' || b == 0x03 || (in->string_esc && b == '\\'))
		in->state = ST_GROUND;
	else if (in->string_esc && b == '[') /* the string was broken off */
		in->state = ST_CSI;
	in->string_esc = b == 0x1B;
	in->nseq = 0;
}

/* Short forms that an ESC breaks off: it begins the next sequence, maybe the end of a paste. */
static bool
breaks_off(const struct input *in, unsigned char b)
{
	return b == 0x1B && (in->state == ST_SS3 || in->state == ST_LINUX || in->state == ST_MOUSE);
}

static void
byte_in(struct input *in, unsigned char b)
{
	if (breaks_off(in, b)) {
		in->state = ST_ESC;
		return;
	}
	switch ((enum state)in->state) {
	case ST_GROUND:
		if (b == 0x1B) {
			in->state = ST_ESC;
			in->utf8_left = 0;
			return;
		}
		ground_byte(in, b);
		return;
	case ST_ESC:
		esc_byte(in, b);
		return;
	case ST_CSI:
		csi_byte(in, b);
		return;
	case ST_SS3:
		in->state = ST_GROUND;
		if (!in->pasting)
			emit(in, lookup(finals, ARRAY_LEN(finals), b));
		return;
	case ST_LINUX:
		in->state = ST_GROUND;
		if (b >= 'A' && b <= 'E' && !in->pasting)
			emit(in, (uint32_t)(KEY_F0 + 1 + (b - 'A')));
		return;
	case ST_STRING:
		string_byte(in, b);
		return;
	case ST_MOUSE:
		if (++in->nseq == 3)
			in->state = ST_GROUND;
		return;
	}
}

size_t
input_feed(struct input *in, const unsigned char *bytes, size_t n)
{
	size_t i = 0;

	/* one byte makes at most two keys */
	while (i < n && in->count + 2 <= INPUT_QUEUE_MAX)
		byte_in(in, bytes[i++]);
	return i;
}

bool
input_is_waiting(const struct input *in)
{
	return in->state != ST_GROUND;
}

void
input_timeout(struct input *in)
{
	if (in->state == ST_ESC && !in->pasting)
		emit(in, KEY_ESC);
	else if (in->state == ST_CSI && in->nseq == 0 && !in->pasting)
		emit(in, '[' | KEY_ALT);
	else if (in->state == ST_SS3 && !in->pasting)
		emit(in, 'O' | KEY_ALT);
	if (in->state != ST_STRING)
		in->state = ST_GROUND;
}

void
input_paste_stalled(struct input *in)
{
	in->pasting = false;
	in->state = ST_GROUND;
	in->utf8_left = 0;
}

bool
input_next(struct input *in, struct input_key *ret)
{
	if (in->count == 0)
		return false;
	*ret = in->queue[in->head];
	in->head = (in->head + 1) % INPUT_QUEUE_MAX;
	in->count--;
	return true;
}

void
input_discard(struct input *in)
{
	in->head = 0;
	in->count = 0;
	if (in->state != ST_STRING)
		in->state = ST_GROUND;
	in->utf8_left = 0;
}
