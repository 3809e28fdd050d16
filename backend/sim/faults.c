#include "backend/sim/faults.h"

#include <pthread.h>

#include "backend/sim/tls.h"
#include "model/base/mem.h"

enum fault_form {
	FORM_RATE,  /* name=0..1 */
	FORM_COUNT, /* name=N */
	FORM_SPAN,  /* name=START:LENGTH, seconds */
	FORM_KEYED, /* name.KEY=N */
	FORM_WORD,  /* name=KEY */
};

struct fault_row {
	const char *name;
	enum fault_form form;
	const char *help;
};

/* clang-format off */
static const struct fault_row rows[FAULT__MAX] = {
	[FAULT_ARM_429]    = { "arm.429",     FORM_RATE,  "share of resource manager requests answered 429 with Retry-After" },
	[FAULT_ARM_500]    = { "arm.500",     FORM_RATE,  "share answered 500 before anything was done" },
	[FAULT_ARM_503]    = { "arm.503",     FORM_RATE,  "share answered 503 without Retry-After" },
	[FAULT_ARM_LOST]   = { "arm.lost",    FORM_RATE,  "share that is done, and then the connection is closed without an answer" },
	[FAULT_ARM_LATE]   = { "arm.late",    FORM_RATE,  "share of changes whose connection is closed, and which are done a minute later" },
	[FAULT_ARM_SLOW]   = { "arm.slow",    FORM_COUNT, "real milliseconds before each answer" },
	[FAULT_ARM_CUT]    = { "arm.cut",     FORM_RATE,  "share whose answer ends in the middle of the body" },
	[FAULT_ARM_HTML]   = { "arm.html",    FORM_RATE,  "share answered 200 with a page of HTML (a captive portal)" },
	[FAULT_ARM_401]    = { "arm.401",     FORM_RATE,  "share answered 401 with a challenge for claims" },
	[FAULT_ARM_NO_OPERATION_URL] = { "arm.nourl", FORM_RATE, "share of PUTs without an operation URL: poll the resource" },
	[FAULT_ARM_LAG]    = { "arm.lag",     FORM_COUNT, "seconds for which a list does not show what was just made" },
	[FAULT_RETRY_AFTER] = { "arm.retryafter", FORM_COUNT, "seconds that operations ask to be left alone (by provider: 3 to 15)" },
	[FAULT_SIGNIN_500] = { "signin.500",  FORM_RATE,  "share of token requests answered 500" },
	[FAULT_TOKEN_TTL]  = { "token.ttl",   FORM_COUNT, "seconds for which a token is good (3599)" },
	[FAULT_OPERATION_FAIL]  = { "op.fail",  FORM_RATE, "share of cluster and pool operations that end as Failed" },
	[FAULT_FAIL_AS]         = { "failas", FORM_KEYED, "failas.CODE=RATE: the same, with that error code (\"none\": without an error)" },
	[FAULT_OPERATION_GONE]  = { "op.gone",  FORM_RATE, "share of polls answered 404" },
	[FAULT_OPERATION_STUCK] = { "op.stuck", FORM_RATE, "share of cluster and pool operations that take a day" },
	[FAULT_OUTAGE]     = { "outage",      FORM_SPAN,  "START:LENGTH in seconds since the start: everything answers 503" },
	[FAULT_QUOTA]      = { "quota",       FORM_KEYED, "quota.FAMILY=N: vCPUs of a family in each region (\"cores\": of all)" },
	[FAULT_QUOTA_LATE] = { "quotalate",   FORM_COUNT, "1: too little quota fails the operation instead of the request" },
	[FAULT_NO_CAPACITY] = { "nocapacity", FORM_KEYED, "nocapacity.SIZE=1: no hardware of that size: the operation fails" },
	[FAULT_SKU_LATE]   = { "skulate",     FORM_COUNT, "1: a restricted size fails the operation instead of the request" },
	[FAULT_DENY]       = { "deny",        FORM_KEYED, "deny.ACTION=1: 403 AuthorizationFailed, e.g. deny.Microsoft.Network/virtualNetworks/write" },
	[FAULT_NO_JOIN]    = { "nojoin",      FORM_COUNT, "1: 403 LinkedAuthorizationFailed for the subnet of a pool" },
	[FAULT_POLICY]     = { "policy",      FORM_KEYED, "policy.LOCATION=1: a policy forbids that location" },
	[FAULT_UNREGISTERED] = { "unregistered", FORM_KEYED, "unregistered.NAMESPACE=1: provider not registered at the start" },
	[FAULT_FEATURE_OFF] = { "featureoff", FORM_KEYED, "featureoff.NAME=1: feature not registered at the start" },
	[FAULT_LOCKED]     = { "locked",      FORM_KEYED, "locked.GROUP=1: a management lock: deletion fails" },
	[FAULT_RETIRED]    = { "retired",     FORM_KEYED, "retired.1.34=1: version for long-term support only" },
	[FAULT_KUBE_500]   = { "kube.500",    FORM_RATE,  "share of Kubernetes requests answered 500" },
	[FAULT_KUBE_429]   = { "kube.429",    FORM_RATE,  "share of Kubernetes requests answered 429" },
	[FAULT_KUBE_LOST]  = { "kube.lost",   FORM_RATE,  "share done and not answered" },
	[FAULT_KUBE_410]   = { "kube.410",    FORM_RATE,  "share of watches that end as expired" },
	[FAULT_KUBE_SLOW]  = { "kube.slow",   FORM_COUNT, "real milliseconds before each answer" },
	[FAULT_KUBE_DOWN]  = { "kube.down",   FORM_SPAN,  "START:LENGTH in seconds: clusters do not answer" },
	[FAULT_CHART_FAIL] = { "chart.fail",  FORM_KEYED, "chart.fail.CHART=1: its helm job fails" },
	[FAULT_CHART_IMAGE] = { "chart.image", FORM_KEYED, "chart.image.CHART=1: the image of its helm job cannot be pulled" },
	[FAULT_CHART_SLOW] = { "chart.slow",  FORM_KEYED, "chart.slow.CHART=N: its helm job takes N seconds" },
	[FAULT_NO_ADDRESS] = { "noaddress",   FORM_COUNT, "1: load balancers never get an address" },
};
/* clang-format on */

enum { SETTINGS_MAX = 64, COUNTERS = 4096 };

struct faults {
	struct fault_setting items[SETTINGS_MAX];
	size_t n;
	uint64_t seed;
	pthread_mutex_t lock;	    /* guards counters */
	uint32_t counter[COUNTERS]; /* requests seen, by hash of fault, method and path */
};

static bool
key_keep(struct fault_setting *s, struct str key)
{
	if (key.n == 0 || key.n >= sizeof(s->key))
		return false;
	for (size_t i = 0; i < key.n; i++)
		s->key[i] = key.p[i];
	return true;
}

static bool
span_parse(struct fault_setting *s, struct str value)
{
	struct str start, rest = value;
	int64_t from = 0, length = 0;

	if (!str_split(&rest, ':', &start) || !str_to_int(start, &from) ||
	    !str_to_int(rest, &length) || from < 0 || length < 0)
		return false;
	s->from_ms = from * 1000;
	s->length_ms = length * 1000;
	return true;
}

/* The row whose name is given, or begins a keyed name; *ret_key is what follows. */
static bool
row_find(struct str name, enum fault *ret_fault, struct str *ret_key)
{
	for (int i = 0; i < FAULT__MAX; i++) {
		struct str row = str_from(rows[i].name);

		if (rows[i].form != FORM_KEYED && str_eq(name, row)) {
			*ret_fault = (enum fault)i;
			*ret_key = (struct str){ 0 };
			return true;
		}
		if (rows[i].form == FORM_KEYED && str_starts(name, row) && name.n > row.n + 1 &&
		    name.p[row.n] == '.') {
			*ret_fault = (enum fault)i;
			*ret_key = str_sub(name, row.n + 1, name.n);
			return true;
		}
	}
	return false;
}

static bool
setting_parse(struct faults *f, struct str piece, struct error *err)
{
	struct fault_setting s = { 0 };
	struct str key = { 0 }, value = { 0 };
	ptrdiff_t eq = str_find_char(piece, '=');
	struct str name = eq < 0 ? piece : str_sub(piece, 0, (size_t)eq);
	bool ok;

	if (f->n == SETTINGS_MAX)
		return error_set(err, ERR_USAGE, "--fault: at most %d settings", SETTINGS_MAX);
	if (!row_find(name, &s.fault, &key))
		return error_set(err, ERR_USAGE,
		    "--fault: no fault '" STR_FMT "'; see --fault help", STR_ARG(name));
	value = eq < 0 ? STR("1") : str_sub(piece, (size_t)eq + 1, piece.n);
	if (rows[s.fault].form == FORM_SPAN)
		ok = span_parse(&s, value);
	else
		ok = str_to_double(value, &s.number) && s.number >= 0 &&
		     (rows[s.fault].form != FORM_RATE || s.number <= 1);
	if (ok && rows[s.fault].form == FORM_KEYED)
		ok = key_keep(&s, key);
	if (!ok)
		return error_set(err, ERR_USAGE, "--fault: '" STR_FMT "' is no value for '%s'",
		    STR_ARG(value), rows[s.fault].name);
	f->items[f->n++] = s;
	return true;
}

bool
faults_parse(const char *spec, uint64_t seed, struct faults **ret_faults, struct error *err)
{
	struct faults *f = mem_new(sizeof(*f));
	struct str rest = str_from(spec);
	struct str piece;

	if (f == NULL)
		return error_set(err, ERR_NO_MEMORY, "faults: out of memory");
	f->seed = seed;
	(void)pthread_mutex_init(&f->lock, NULL); /* cannot fail with default attributes */
	while (str_split(&rest, ',', &piece)) {
		piece = str_trim(piece);
		if (piece.n > 0 && !setting_parse(f, piece, err)) {
			faults_free(f);
			return false;
		}
	}
	*ret_faults = f;
	return true;
}

void
faults_free(struct faults *f)
{
	if (f == NULL)
		return;
	(void)pthread_mutex_destroy(&f->lock);
	mem_free(f);
}

void
faults_help(struct text *out)
{
	static const char *const forms[] = {
		[FORM_RATE] = "=RATE",
		[FORM_COUNT] = "=N",
		[FORM_SPAN] = "=START:LENGTH",
		[FORM_KEYED] = ".KEY=N",
		[FORM_WORD] = "=KEY",
	};

	text_add(out, "--fault NAME=VALUE,...   (a KEY of * means all)\n");
	for (int i = 0; i < FAULT__MAX; i++) {
		text_printf(
		    out, "  %-14s %-15s %s\n", rows[i].name, forms[rows[i].form], rows[i].help);
	}
}

static uint64_t
hash_bytes(uint64_t h, const void *p, size_t n)
{
	const unsigned char *b = p;

	for (size_t i = 0; i < n; i++)
		h = (h ^ b[i]) * 1099511628211ULL;
	return h;
}

/* Spreads the bits (splitmix64's finish). */
static uint64_t
hash_finish(uint64_t h)
{
	h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
	h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
	return h ^ (h >> 31);
}

static const struct fault_setting *
setting_find(const struct faults *f, enum fault which)
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->items[i].fault == which)
			return &f->items[i];
	}
	return NULL;
}

bool
fault_hits(struct faults *f, enum fault which, struct str method, struct str path)
{
	const struct fault_setting *s = setting_find(f, which);
	uint64_t h = 14695981039346656037ULL;
	uint32_t nth;

	if (s == NULL || s->number <= 0)
		return false;
	h = hash_bytes(h, &which, sizeof(which));
	h = hash_bytes(h, method.p, method.n);
	h = hash_bytes(h, path.p, path.n);
	(void)pthread_mutex_lock(&f->lock);
	nth = f->counter[h % COUNTERS]++;
	(void)pthread_mutex_unlock(&f->lock);
	h = hash_bytes(h, &nth, sizeof(nth));
	h = hash_finish(h ^ hash_finish(f->seed));
	return (double)(h >> 11) / 9007199254740992.0 < s->number;
}

double
fault_number(const struct faults *f, enum fault which, double otherwise)
{
	const struct fault_setting *s = setting_find(f, which);

	return s != NULL ? s->number : otherwise;
}

const struct fault_setting *
fault_keyed(const struct faults *f, enum fault which, struct str key)
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->items[i].fault == which && (str_eq_nocase(str_from(f->items[i].key), key) ||
						      str_is(str_from(f->items[i].key), "*")))
			return &f->items[i];
	}
	return NULL;
}

const struct fault_setting *
fault_first(const struct faults *f, enum fault which)
{
	return setting_find(f, which);
}

bool
fault_in_span(const struct faults *f, enum fault which, int64_t since_start_ms)
{
	const struct fault_setting *s = setting_find(f, which);

	return s != NULL && since_start_ms >= s->from_ms &&
	       since_start_ms < s->from_ms + s->length_ms;
}
