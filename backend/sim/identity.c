#include "backend/sim/identity.h"

#include <openssl/crypto.h>

#include "model/base/mem.h"
#include "model/json.h"

enum { DOC_MAX = 64 * 1024, SECRET_LEN = 40, KEY_LEN = 64 };

static const char meta_key[] = "identity";

struct text_field {
	const char *name;
	size_t off;
	size_t size;
};

#define FIELD(member)                                                                              \
	{                                                                                          \
#member, offsetof(struct identity, member), sizeof(((struct identity *)0)->member) \
	}

static const struct text_field text_fields[] = {
	FIELD(tenant),
	FIELD(subscription),
	FIELD(client),
	FIELD(object),
	FIELD(secret),
	FIELD(token_key),
};

struct pair_field {
	const char *cert, *key;
	size_t off;
};

static const struct pair_field pair_fields[] = {
	{ "authorityCert", "authorityKey", offsetof(struct identity, authority) },
	{ "serviceCert", "serviceKey", offsetof(struct identity, service) },
	{ "applicationCert", "applicationKey", offsetof(struct identity, application) },
};

static bool
keep(char *to, size_t size, struct str s)
{
	if (s.n == 0 || s.n >= size)
		return false;
	for (size_t i = 0; i < s.n; i++)
		to[i] = s.p[i];
	to[s.n] = '\0';
	return true;
}

static bool
identity_decode(const struct node *n, struct identity *id)
{
	for (size_t i = 0; i < ARRAY_LEN(text_fields); i++) {
		const struct text_field *f = &text_fields[i];

		if (!keep((char *)id + f->off, f->size, node_get_str(node_find(n, f->name))))
			return false;
	}
	for (size_t i = 0; i < ARRAY_LEN(pair_fields); i++) {
		struct keypair *k = (void *)((char *)id + pair_fields[i].off);

		k->cert = (struct text)TEXT_INIT(DOC_MAX);
		k->key = (struct text)TEXT_INIT(DOC_MAX);
		text_add_str(&k->cert, node_get_str(node_find(n, pair_fields[i].cert)));
		text_add_str(&k->key, node_get_str(node_find(n, pair_fields[i].key)));
		if (k->cert.n == 0 || k->key.n == 0)
			return false;
	}
	id->signin_port = (unsigned short)node_get_int(node_find(n, "signinPort"), 0);
	id->arm_port = (unsigned short)node_get_int(node_find(n, "armPort"), 0);
	id->epoch_ms = node_get_int(node_find(n, "epoch"), 0);
	return true;
}

static bool
secret_make(char *to, size_t size, size_t n)
{
	struct text t = TEXT_INIT(256);
	bool ok = secret_random(&t, n) && keep(to, size, text_str(&t));

	if (t.p != NULL)
		OPENSSL_cleanse(t.p, t.n);
	text_free(&t);
	return ok;
}

static bool
identity_make(struct identity *id, struct error *err)
{
	const struct cert_spec ca = { .use = CERT_AUTHORITY,
		.name = "Flightdeck practice authority" };
	const struct cert_spec service = { .use = CERT_SERVER, .name = "localhost" };
	const struct cert_spec app = {
		.use = CERT_SIGNER, .name = "flightdeck practice", .rsa = true
	};

	if (!guid_random(id->tenant) || !guid_random(id->subscription) ||
	    !guid_random(id->client) || !guid_random(id->object) ||
	    !secret_make(id->secret, sizeof(id->secret), SECRET_LEN) ||
	    !secret_make(id->token_key, sizeof(id->token_key), KEY_LEN))
		return error_set(err, ERR_INTERNAL, "the machine gives no random bytes");
	return keypair_make(&ca, NULL, &id->authority, err) &&
	       keypair_make(&service, &id->authority, &id->service, err) &&
	       keypair_make(&app, NULL, &id->application, err);
}

bool
identity_save(struct state *st, const struct identity *id, struct error *err)
{
	struct arena *a = arena_new((size_t)4 * DOC_MAX);
	struct text out = TEXT_INIT(DOC_MAX);
	struct node *n = a != NULL ? node_map(a) : NULL;
	bool ok = false;

	for (size_t i = 0; n != NULL && i < ARRAY_LEN(text_fields); i++)
		node_set_strz(a, n, text_fields[i].name, (const char *)id + text_fields[i].off);
	for (size_t i = 0; n != NULL && i < ARRAY_LEN(pair_fields); i++) {
		const struct keypair *k = (const void *)((const char *)id + pair_fields[i].off);

		node_set_strz(a, n, pair_fields[i].cert, text_get(&k->cert));
		node_set_strz(a, n, pair_fields[i].key, text_get(&k->key));
	}
	if (n == NULL || arena_failed(a)) {
		error_set(err, ERR_NO_MEMORY, "identity: out of memory");
		goto out;
	}
	node_set_int(a, n, "signinPort", id->signin_port);
	node_set_int(a, n, "armPort", id->arm_port);
	node_set_int(a, n, "epoch", id->epoch_ms);
	json_write(&out, n, JSON_COMPACT);
	ok = text_ok(&out, "identity", err) &&
	     state_put(st, DOC_META, str_from(meta_key), text_str(&out), err);
out:
	if (out.p != NULL)
		OPENSSL_cleanse(out.p, out.n);
	text_free(&out);
	arena_free(a);
	return ok;
}

bool
identity_load(struct state *st, int64_t epoch_ms, struct identity *ret, struct error *err)
{
	struct arena *a = arena_new((size_t)16 * DOC_MAX);
	struct identity id = { 0 };
	struct str doc = { 0 };
	struct node *n = NULL;
	bool ok = false;

	if (a == NULL) {
		error_set(err, ERR_NO_MEMORY, "identity: out of memory");
		goto out;
	}
	if (!state_get(st, DOC_META, str_from(meta_key), a, &doc, err))
		goto out;
	if (doc.n > 0) {
		if (!json_parse(a, doc, &n, err))
			goto out;
		if (!identity_decode(n, &id)) {
			error_set(err, ERR_CORRUPT, "simulator state: the identity is incomplete");
			goto out;
		}
	} else if (!identity_make(&id, err)) {
		goto out;
	}
	if (epoch_ms > 0)
		id.epoch_ms = epoch_ms;
	if (!identity_save(st, &id, err))
		goto out;
	*ret = id;
	id = (struct identity){ 0 };
	ok = true;
out:
	identity_fini(&id);
	arena_free(a);
	return ok;
}

void
identity_fini(struct identity *id)
{
	keypair_fini(&id->authority);
	keypair_fini(&id->service);
	keypair_fini(&id->application);
	OPENSSL_cleanse(id->secret, sizeof(id->secret));
	OPENSSL_cleanse(id->token_key, sizeof(id->token_key));
}

static void
credentials_write(const struct identity *id, bool certificate, struct node *n, struct arena *a)
{
	struct text pem = TEXT_INIT(DOC_MAX);

	node_set_strz(a, n, "clientId", id->client);
	if (certificate) {
		text_add_str(&pem, text_str(&id->application.cert));
		text_add_str(&pem, text_str(&id->application.key));
		node_set_strz(a, n, "clientCertificate", text_get(&pem));
	} else {
		node_set_strz(a, n, "clientSecret", id->secret);
	}
	node_set_strz(a, n, "subscriptionId", id->subscription);
	node_set_strz(a, n, "tenantId", id->tenant);
	text_free(&pem);
}

void
identity_endpoints(const struct identity *id, const char *ca_file, struct text *out)
{
	struct arena *a = arena_new((size_t)4 * DOC_MAX);
	struct text inner = TEXT_INIT(DOC_MAX);
	struct node *n = a != NULL ? node_map(a) : NULL;
	struct node *cred = a != NULL ? node_map(a) : NULL;
	struct node *cert = a != NULL ? node_map(a) : NULL;

	if (a != NULL && !arena_failed(a)) {
		node_set(a, n, "authority",
		    node_strz(a, arena_printf(a, "https://127.0.0.1:%u", id->signin_port)));
		node_set(a, n, "arm",
		    node_strz(a, arena_printf(a, "https://127.0.0.1:%u", id->arm_port)));
		node_set_strz(a, n, "caFile", ca_file);
		node_set_strz(a, n, "tenantId", id->tenant);
		node_set_strz(a, n, "subscriptionId", id->subscription);
		node_set_strz(a, n, "clientId", id->client);
		node_set_strz(a, n, "clientSecret", id->secret);
		credentials_write(id, false, cred, a);
		json_write(&inner, cred, JSON_COMPACT);
		node_set_strz(a, n, "azureCredentialsJson", text_get(&inner));
		text_clear(&inner);
		credentials_write(id, true, cert, a);
		json_write(&inner, cert, JSON_COMPACT);
		node_set_strz(a, n, "azureCertificateCredentialsJson", text_get(&inner));
		json_write(out, n, JSON_COMPACT);
	}
	text_free(&inner);
	arena_free(a);
}
