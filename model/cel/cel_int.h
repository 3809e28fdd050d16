#ifndef MODEL_CEL_CEL_INT_H
#define MODEL_CEL_CEL_INT_H

/*
 * Shared by the files of model/cel alone: tokens, expressions, functions. The lexer cuts text into
 * tokens, the parser makes a tree of expressions, the evaluator walks it. Pure.
 */

#include "model/base/mem.h"
#include "model/cel/cel.h"
#include "model/regex.h"

enum token_kind { T_END, T_WORD, T_INT, T_DOUBLE, T_STRING, T_SIGN };

/* Signs of more than one character come first, so that the longest is found. */
#define SIGNS(X)                                                                                   \
	X(AND, "&&")                                                                               \
	X(OR, "||")                                                                                \
	X(LE, "<=")                                                                                \
	X(GE, ">=")                                                                                \
	X(EQ, "==")                                                                                \
	X(NE, "!=")                                                                                \
	X(LT, "<")                                                                                 \
	X(GT, ">")                                                                                 \
	X(PLUS, "+")                                                                               \
	X(MINUS, "-")                                                                              \
	X(TIMES, "*")                                                                              \
	X(DIVIDE, "/")                                                                             \
	X(MODULO, "%")                                                                             \
	X(NOT, "!")                                                                                \
	X(QUESTION, "?")                                                                           \
	X(COLON, ":")                                                                              \
	X(DOT, ".")                                                                                \
	X(COMMA, ",")                                                                              \
	X(OPEN, "(")                                                                               \
	X(CLOSE, ")")                                                                              \
	X(OPEN_LIST, "[")                                                                          \
	X(CLOSE_LIST, "]")                                                                         \
	X(OPEN_MAP, "{")                                                                           \
	X(CLOSE_MAP, "}")

#define X(id, text) SIGN_##id,
enum sign { SIGNS(X) SIGN__MAX };
#undef X

struct token {
	enum token_kind kind;
	enum sign sign;
	struct str text; /* of a string: its value */
	uint32_t at;	 /* characters before it */
};

struct lexer {
	struct arena *arena;
	struct str whole;
	size_t pos;
	size_t counted; /* bytes whose characters are counted in count */
	uint32_t count;
	struct token token; /* the current one */
	struct error *err;
};

/* Reads the next token into lx->token. */
bool cel_next(struct lexer *lx) MUST_CHECK;
bool cel_bad(struct error *err, uint32_t at, const char *fmt, ...) PRINTF_LIKE(3, 4);
const char *cel_sign_text(enum sign s);

struct run; /* one evaluation */

typedef struct cel_value cel_call(struct run *r, const struct cel_value *args, size_t n);

enum { CALL_MOST_ARGS = 4 };

/* The receiver of a method counts as its first argument. */
struct cel_function {
	const char *name;
	size_t min, max;
	cel_call *call;
};

const struct cel_function *cel_function_find(struct str name);

enum expr_kind {
	X_LITERAL,
	X_NAME,
	X_SELECT,
	X_HAS,
	X_INDEX,
	X_LIST,
	X_MAP, /* key, value, key, value ... */
	X_CALL,
	X_AND, /* of two and more */
	X_OR,
	X_NOT,
	X_NEGATE,
	X_BINARY,
	X_CHOICE,
	X_LOOP, /* range, body, and for map() with three arguments what is made */
};

enum loop { LOOP_ALL, LOOP_EXISTS, LOOP_EXISTS_ONE, LOOP_FILTER, LOOP_MAP, LOOP__MAX };

struct expr {
	enum expr_kind kind;
	uint32_t at;
	uint32_t depth;
	struct expr *next; /* sibling */
	struct expr *first, *last;
	size_t nchildren;
	struct str name; /* of a name, a member, a loop's variable */
	struct cel_value literal;
	const struct cel_function *function;
	enum sign sign;
	enum loop loop;
	const struct regex *regex; /* of matches() with a literal pattern */
};

struct cel_program {
	const struct expr *root;
};

struct expr *cel_parse(struct lexer *lx);

struct scope {
	const struct scope *outer;
	struct str name;
	struct cel_value value;
};

struct run {
	struct arena *arena;
	const struct cel_var *vars;
	size_t nvars;
	uint64_t cost_left;
	enum cel_result stop; /* CEL_OK while it runs */
	const struct scope *scope;
	uint32_t at;		   /* of the call that runs */
	const struct regex *regex; /* its ready pattern, or NULL */
};

struct cel_value cel_walk(struct run *r, const struct expr *x);

/* Takes n off what is left; false when the evaluation must stop. */
bool cel_charge(struct run *r, uint64_t n);
struct cel_value cel_fail(struct run *r, const char *what);
struct cel_value cel_fail_about(struct run *r, const char *what, struct str name);
struct cel_value cel_stop(struct run *r, enum cel_result why);

struct cel_entry {
	struct cel_value key, value;
};

struct cel_list {
	struct cel_value *items;
	size_t n;
};

struct cel_map {
	struct cel_entry *entries;
	size_t n, cap;
	bool default_empty;
};

/* Walks a list, or the keys of a map, made or viewed. */
struct cel_iter {
	struct cel_value of;
	const struct node *node;
	size_t i;
};

bool cel_is_number(const struct cel_value *v);
size_t cel_count(const struct cel_value *v);
void cel_iter_init(struct cel_iter *it, struct cel_value of);
bool cel_iter_next(struct cel_iter *it, struct cel_value *ret);

/* Charges for what it compares. */
bool cel_equal(struct run *r, const struct cel_value *a, const struct cel_value *b);
/* False when there is none such. */
bool cel_lookup(
    struct run *r, const struct cel_value *map, const struct cel_value *key, struct cel_value *ret);
/* -1, 0, 1; false when the two have no order. */
bool cel_order(const struct cel_value *a, const struct cel_value *b, int *ret);

#endif
