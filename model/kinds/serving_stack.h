#ifndef MODEL_KINDS_SERVING_STACK_H
#define MODEL_KINDS_SERVING_STACK_H

/*
 * ServingStack: what is installed on a cluster so that it can serve (spec/resources.md 11).
 *
 * Ownership: borrows from the arena of schema_decode. Threads: pure.
 */

#include "model/kinds/meta.h"

struct stack_versions {
	bool present;
	struct str gateway_api, cert_manager, envoy_gateway, prometheus;
	struct str node_feature_discovery, nvidia_dra_driver;
};

struct stack_listener {
	bool present;
	struct str name;
	struct opt_int port;
	struct str protocol; /* "HTTP" or "TCP" */
};

struct serving_stack_spec {
	bool present;
	struct list secrets; /* struct secret_entry */
	int stack;	     /* enum stack_type of inference_cluster.h */
	struct str nvidia_driver_root;
	struct stack_versions versions;
	struct stack_standard {
		bool present;
		struct str leader_worker_set;
	} standard;
	struct stack_dynamo {
		bool present;
		struct str grove, kai_scheduler, model_express;
	} dynamo;
	struct stack_gateway {
		bool present;
		struct str class_name;
		struct list listeners; /* struct stack_listener */
	} gateway;
	const struct node *crossplane;
};

struct serving_stack_status {
	bool present;
	struct list conditions; /* struct condition */
	struct stack_gateway_status {
		bool present;
		struct str address;
	} gateway;
};

struct serving_stack {
	struct str api_version, kind;
	struct meta meta;
	struct serving_stack_spec spec;
	struct serving_stack_status status;
};

extern const struct schema serving_stack_schema;
extern const struct kind serving_stack_kind;

#endif
