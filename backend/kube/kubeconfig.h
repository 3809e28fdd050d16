#ifndef BACKEND_KUBE_KUBECONFIG_H
#define BACKEND_KUBE_KUBECONFIG_H

/*
 * A kubeconfig, reduced to the one context that is used: server, CA, client certificate and key or
 * token, tls-server-name, proxy. One that came from a Secret or a cloud may carry neither commands
 * nor file references (trust.md 4.F6): those are refused with the field and the remedy.
 *
 * Ownership: kubeconfig_free wipes keys and tokens. Threads: immutable after parsing.
 */

#include <stdbool.h>
#include <stdint.h>

#include "backend/store/secrets.h"
#include "model/base/error.h"
#include "model/base/text.h"

enum { KUBECONFIG_MAX_BYTES = 1024 * 1024 };

struct kubeconfig {
	char *context, *cluster, *user, *server, *server_name, *proxy;
	char *ca_pem;	  /* NULL: the system's */
	char *client_cert_pem;
	struct secret *client_key_pem;
	struct secret *token;
	bool insecure;
	int64_t cert_expires_ms; /* notAfter of the client certificate, 0 when there is none */
};

/* context empty: the current one. trusted_source: false forbids commands and file references. */
bool kubeconfig_parse(struct str bytes, struct str context, bool trusted_source,
    struct kubeconfig **ret_config, struct error *err) MUST_CHECK;
void kubeconfig_free(struct kubeconfig *k);
/* The one context as a kubeconfig file again, for `flightdeck kubeconfig`. It holds secrets. */
bool kubeconfig_format(const struct kubeconfig *k, struct text *out, struct error *err) MUST_CHECK;

#endif
