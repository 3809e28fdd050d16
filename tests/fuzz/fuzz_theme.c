/* Theme and settings files: refused or taken, never half. */
#include <stdint.h>
#include <stdlib.h>

#include "tui/keys.h"
#include "tui/theme/theme.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size };
	struct theme t = { .name = "" };
	struct config c;
	struct error err;

	if (size > 70000)
		return 0;
	if (theme_parse(bytes, "fuzz", &t, &err)) {
		if (t.name[0] == '\0')
			abort();
		theme_reduce(&t, 16);
		for (size_t i = 0; i < ROLE__MAX; i++)
			if (t.styles[i].fg >= 16 || t.styles[i].bg >= 16)
				abort();
	} else if (t.name[0] != '\0') {
		abort(); /* untouched on failure */
	}
	config_default(&c);
	(void)!config_parse(bytes, "fuzz", &c, &err);
	if (c.keys.n > KEYMAP_MAX)
		abort();
	return 0;
}
