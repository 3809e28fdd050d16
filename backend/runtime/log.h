#ifndef BACKEND_RUNTIME_LOG_H
#define BACKEND_RUNTIME_LOG_H

/*
 * The log: one event one line, one write: time, level, area, event, key=value pairs. Values are
 * display-cleaned and quoted when needed. Nothing goes to the terminal while the console is up.
 *
 * Threads: any. Who may log: controllers, workers and main; model/, net/, store/ and providers
 * return their errors instead (debug lines are allowed anywhere).
 */

#include "model/base/error.h"
#include "model/base/macros.h"

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

/* fd < 0 drops everything. Called once by main, before other threads start. */
void log_open(int fd, enum log_level level);
/* pairs: printf-style text of already formatted key=value pairs; never a secret. */
void log_event(enum log_level level, const char *area, const char *event, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
/* Adds error reason, message and causes. */
void log_error(const char *area, const char *event, const struct error *err, const char *fmt, ...)
    PRINTF_LIKE(4, 5);

#endif
