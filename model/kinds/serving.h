#ifndef MODEL_KINDS_SERVING_H
#define MODEL_KINDS_SERVING_H

/*
 * The kinds of the ML team: ModelCache, ModelDeployment, ModelReplica, ModelService, ModelEndpoint
 * and the platform's InferenceGateway (spec/resources.md 12 to 17). They are read, checked and
 * shown; nothing reconciles them yet.
 *
 * Ownership: borrows from the arena of schema_decode. Threads: pure.
 */

#include "model/kinds/meta.h"

enum serving_mode { SERVING_UNIFIED, SERVING_PREFILL_DECODE };
enum engine_phase { PHASE_PREFILL, PHASE_DECODE };
enum member_role { MEMBER_STANDALONE, MEMBER_LEADER, MEMBER_WORKER };
enum cache_phase { CACHE_PENDING, CACHE_HYDRATING, CACHE_READY, CACHE_FAILED };

struct key_ref {
	bool present;
	struct str name, key;
	struct opt_bool optional;
};

struct field_ref {
	bool present;
	struct str api_version, field_path;
};

struct env_source {
	bool present;
	struct key_ref secret_key_ref, config_map_key_ref;
	struct field_ref field_ref;
};

struct env_var {
	bool present;
	struct str name, value;
	struct env_source value_from;
};

struct engine_container {
	bool present;
	struct str name, image;
	struct list command, args; /* struct str */
	struct list env;	   /* struct env_var */
};

struct pod_spec {
	bool present;
	struct list containers;		/* struct engine_container */
	struct list image_pull_secrets; /* struct name_ref */
};

struct pod_metadata {
	bool present;
	struct strmap labels, annotations;
};

struct pod_template {
	bool present;
	struct pod_metadata metadata;
	struct pod_spec spec;
};

struct member_worker {
	bool present;
	struct opt_int nodes;
};

struct device_selector {
	bool present;
	struct str cel;
};

/* A device that a member asks for (deployment) or claims (replica). */
struct device_request {
	bool present;
	struct str name;
	struct str device_class_name; /* replica */
	struct opt_int count;
	struct list selectors; /* struct device_selector */
};

struct engine_member {
	bool present;
	int role; /* enum member_role */
	struct member_nodes {
		bool present;
		struct list devices; /* struct device_request */
	} node_selector;	     /* deployment */
	struct str node_pool_name;   /* replica */
	struct list device_requests; /* struct device_request; replica */
	struct member_worker worker;
	struct pod_template template;
};

struct engine {
	bool present;
	struct str name;
	struct opt_int copies;
	int phase;	     /* enum engine_phase; -1 when absent */
	struct list members; /* struct engine_member */
};

struct serving {
	bool present;
	int mode; /* enum serving_mode */
};

struct toleration {
	bool present;
	struct str key, operator, value, effect;
};

struct replica_template {
	bool present;
	struct match_labels cluster_selector;
	struct name_ref model_cache_ref;
	struct serving serving;
	struct list tolerations; /* struct toleration */
	struct list engines;	 /* struct engine */
};

struct model_deployment {
	struct str api_version, kind;
	struct meta meta;
	struct model_deployment_spec {
		bool present;
		struct opt_int replicas;
		struct deployment_template {
			bool present;
			struct pod_metadata metadata; /* labels only */
			struct replica_template spec;
		} template;
		const struct node *crossplane;
	} spec;
	struct model_deployment_status {
		bool present;
		struct list conditions; /* struct condition */
		struct replica_counts {
			bool present;
			struct opt_int total, ready;
		} replicas;
	} status;
};

struct model_replica {
	struct str api_version, kind;
	struct meta meta;
	struct model_replica_spec {
		bool present;
		struct str cluster_name;
		struct name_ref model_cache_ref;
		struct serving serving;
		struct list engines; /* struct engine */
		const struct node *crossplane;
	} spec;
	struct plain_status {
		bool present;
		struct list conditions; /* struct condition */
	} status;
};

struct model_cache {
	struct str api_version, kind;
	struct meta meta;
	struct model_cache_spec {
		bool present;
		struct str source;
		struct hugging_face {
			bool present;
			struct str repo, revision;
			struct auth_secret {
				bool present;
				struct str name, key;
			} auth_secret;
			struct opt_int size_gib;
		} hugging_face;
		struct match_labels cluster_selector;
		const struct node *crossplane;
	} spec;
	struct model_cache_status {
		bool present;
		struct list conditions; /* struct condition */
		struct cache_summary {
			bool present;
			struct str ready;
		} summary;
		struct list clusters; /* struct cache_cluster */
	} status;
};

struct cache_cluster {
	bool present;
	struct str name;
	int phase; /* enum cache_phase; -1 when absent */
	struct str message;
};

struct endpoint_group {
	bool present;
	struct opt_int weight;
	struct match_labels selector;
};

struct model_service {
	struct str api_version, kind;
	struct meta meta;
	struct model_service_spec {
		bool present;
		struct list endpoints; /* struct endpoint_group */
		const struct node *crossplane;
	} spec;
	struct address_status {
		bool present;
		struct list conditions; /* struct condition */
		struct str address;
	} status;
};

struct model_endpoint {
	struct str api_version, kind;
	struct meta meta;
	struct model_endpoint_spec {
		bool present;
		struct str url, rewrite_path;
		const struct node *crossplane;
	} spec;
	struct model_endpoint_status {
		bool present;
		struct list conditions; /* struct condition */
		struct endpoint_routing {
			bool present;
			struct str backend_name;
		} routing;
	} status;
};

struct inference_gateway {
	struct str api_version, kind;
	struct meta meta;
	struct inference_gateway_spec {
		bool present;
		struct str backend;
		struct gateway_traefik {
			bool present;
			struct str version, load_balancer;
			struct gateway_metallb {
				bool present;
				struct str address_pool;
			} metallb;
		} traefik;
		const struct node *crossplane;
	} spec;
	struct address_status status;
};

extern const struct kind model_cache_kind;
extern const struct kind model_deployment_kind;
extern const struct kind model_replica_kind;
extern const struct kind model_service_kind;
extern const struct kind model_endpoint_kind;
extern const struct kind inference_gateway_kind;

#endif
