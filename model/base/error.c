#include "model/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct code_row {
	const char *reason;
	int exit_code;
	enum retry retry;
	const char *advice;
};

#define X(id, reason, exit_code, retry, advice) [ERR_##id] = { reason, exit_code, retry, advice },
static const struct code_row codes[ERR__MAX] = { ERROR_CODES(X) };
#undef X

static void
copy_text(char *to, size_t size, const char *from)
{
	size_t n = strnlen(from, size - 1);

	memmove(to, from, n);
	to[n] = '\0';
}

bool
error_set(struct error *err, enum error_code code, const char *fmt, ...)
{
	va_list ap;

	if (err == NULL)
		return false;
	error_clear(err);
	err->code = code;
	va_start(ap, fmt);
	(void)vsnprintf(err->message, sizeof err->message, fmt, ap);
	va_end(ap);
	return false;
}

bool
error_wrap(struct error *err, const char *fmt, ...)
{
	char old[ERROR_MESSAGE_MAX];
	va_list ap;

	if (err == NULL)
		return false;
	copy_text(old, sizeof old, err->message);
	va_start(ap, fmt);
	(void)vsnprintf(err->message, sizeof err->message, fmt, ap);
	va_end(ap);
	if (old[0] == '\0')
		return false;
	memmove(err->cause[1], err->cause[0], sizeof err->cause[0] * (ERROR_CAUSES_MAX - 1));
	copy_text(err->cause[0], sizeof err->cause[0], old);
	if (err->ncauses < ERROR_CAUSES_MAX)
		err->ncauses++;
	return false;
}

void
error_advise(struct error *err, const char *fmt, ...)
{
	va_list ap;

	if (err == NULL)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(err->advice, sizeof err->advice, fmt, ap);
	va_end(ap);
}

void
error_name(struct error *err, const char *reason)
{
	if (err != NULL)
		copy_text(err->reason, sizeof err->reason, reason);
}

void
error_clear(struct error *err)
{
	err->code = ERR_NONE;
	err->ncauses = 0;
	err->retry_after_ms = 0;
	err->reason[0] = '\0';
	err->message[0] = '\0';
	err->advice[0] = '\0';
}

const char *
error_reason(const struct error *err)
{
	return err->reason[0] != '\0' ? err->reason : codes[err->code].reason;
}

const char *
error_advice(const struct error *err)
{
	return err->advice[0] != '\0' ? err->advice : codes[err->code].advice;
}

int
error_exit_code(const struct error *err)
{
	return codes[err->code].exit_code;
}

enum retry
error_retry(const struct error *err)
{
	return codes[err->code].retry;
}
