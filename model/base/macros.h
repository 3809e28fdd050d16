#ifndef MODEL_BASE_MACROS_H
#define MODEL_BASE_MACROS_H

/*
 * The few attributes and helpers that every file may use. Pure; any thread.
 */

#define MUST_CHECK                __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, args)    __attribute__((format(printf, fmt, args)))
#define NORETURN                  __attribute__((noreturn))
#define UNUSED                    __attribute__((unused))

#define ARRAY_LEN(a)              (sizeof(a) / sizeof((a)[0]))

#endif
