/* Any bytes as a kubeconfig, from both kinds of source; what is read writes and reads again. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backend/kube/kubeconfig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = { (const char *)data, size };

	struct kubeconfig *k = NULL;
	struct kubeconfig *again = NULL;
	struct text out = { .limit = 8 * KUBECONFIG_MAX_BYTES };
	struct error err = { 0 };

	if (!kubeconfig_parse(bytes, (struct str){ 0 }, false, &k, &err)) {
		if (err.code == ERR_NONE)
			abort();
		return 0;
	}
	if (strncmp(k->server, "https://", 8) != 0 || k->insecure)
		abort();
	if (!kubeconfig_format(k, &out, &err) ||
	    !kubeconfig_parse(text_str(&out), (struct str){ 0 }, false, &again, &err))
		abort();
	if (strcmp(k->server, again->server) != 0 || strcmp(k->context, again->context) != 0 ||
	    (k->token != NULL) != (again->token != NULL))
		abort();
	kubeconfig_free(again);
	kubeconfig_free(k);
	text_free(&out);
	return 0;
}
