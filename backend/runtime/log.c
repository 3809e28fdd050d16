#include "backend/runtime/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "backend/runtime/clean.h"
#include "model/stamp.h"

enum { LINE_LIMIT = 8 * 1024, PAIRS_LIMIT = 4 * 1024 };

static const char *const level_names[] = {
	[LOG_ERROR] = "error",
	[LOG_WARN] = "warn",
	[LOG_INFO] = "info",
	[LOG_DEBUG] = "debug",
};

static atomic_int log_fd = -1;
static atomic_int log_level = LOG_INFO;

void
log_open(int fd, enum log_level level)
{
	atomic_store(&log_level, (int)level);
	atomic_store(&log_fd, fd);
}

static void
line_start(struct text *line, enum log_level level, const char *area, const char *event)
{
	struct timespec ts = { 0 };
	char stamp[STAMP_MAX];

	(void)clock_gettime(CLOCK_REALTIME, &ts);
	text_add_str(
	    line, str_sub(str_from(stamp_format((int64_t)ts.tv_sec * 1000, stamp)), 0, 19));
	text_printf(
	    line, ".%03ldZ %s %s %s", ts.tv_nsec / 1000000, level_names[level], area, event);
}

static PRINTF_LIKE(2, 0) void
line_pairs(struct text *line, const char *fmt, va_list ap)
{
	char pairs[PAIRS_LIMIT];
	int n;

	if (fmt == NULL || fmt[0] == '\0')
		return;
	n = vsnprintf(pairs, sizeof pairs, fmt, ap);
	if (n <= 0)
		return;
	text_add_char(line, ' ');
	clean_add(line, str_from(pairs));
}

/* One line, one write: whole lines of several processes do not mix (O_APPEND). */
static void
line_end(struct text *line)
{
	int fd = atomic_load(&log_fd);
	ssize_t n;

	text_add_char(line, '\n');
	if (line->too_long && line->n > 0)
		line->p[line->n - 1] = '\n'; /* cut, but still one line */
	n = line->n > 0 ? write(fd, line->p, line->n) : 0;
	(void)n; /* a log that cannot be written must not stop the work */
	text_free(line);
}

static bool
wanted(enum log_level level)
{
	return atomic_load(&log_fd) >= 0 && (int)level <= atomic_load(&log_level);
}

void
log_event(enum log_level level, const char *area, const char *event, const char *fmt, ...)
{
	struct text line = TEXT_INIT(LINE_LIMIT);
	va_list ap;

	if (!wanted(level))
		return;
	line_start(&line, level, area, event);
	va_start(ap, fmt);
	line_pairs(&line, fmt, ap);
	va_end(ap);
	line_end(&line);
}

void
log_error(const char *area, const char *event, const struct error *err, const char *fmt, ...)
{
	struct text line = TEXT_INIT(LINE_LIMIT);
	va_list ap;

	if (!wanted(LOG_ERROR))
		return;
	line_start(&line, LOG_ERROR, area, event);
	va_start(ap, fmt);
	line_pairs(&line, fmt, ap);
	va_end(ap);
	text_printf(&line, " reason=%s message=", error_reason(err));
	clean_add_quoted(&line, str_from(err->message));
	for (unsigned i = 0; i < err->ncauses && i < ERROR_CAUSES_MAX; i++) {
		text_add(&line, " cause=");
		clean_add_quoted(&line, str_from(err->cause[i]));
	}
	line_end(&line);
}
