#include "backend/sim/sim_int.h"

/*
 * The two Azure services as handlers of backend/net/server.h: they take a request apart, hand it
 * over and put the answer together.
 */

static struct str
header(const struct server_request *req, const char *name)
{
	return str_from(server_request_header(req, name));
}

void
arm_serve(void *context, const struct server_request *req, struct server_response *ret)
{
	struct sim *s = context;
	struct arm_answer answer;
	const struct arm_request r = {
		.method = str_from(req->method),
		.path = str_from(req->path),
		.query = str_from(server_request_raw_query(req)),
		.authorization = header(req, "Authorization"),
		.if_match = header(req, "If-Match"),
		.if_none_match = header(req, "If-None-Match"),
		.content_type = header(req, "Content-Type"),
		.client_request_id = header(req, "x-ms-client-request-id"),
		.body = req->body,
		.connection = req->connection_number,
	};

	arm_handle(s, &r, &answer);
	ret->status = answer.status;
	ret->content_type = answer.content_type != NULL ? answer.content_type
			    : answer.body.n > 0		? "application/json; charset=utf-8"
							: NULL;
	ret->body = answer.body;
	ret->headers = answer.headers;
	ret->drop = answer.drop;
	ret->cut_after = answer.cut_after;
}

void
signin_serve(void *context, const struct server_request *req, struct server_response *ret)
{
	struct sim *s = context;
	struct signin_answer answer = { .status = 500, .body = TEXT_INIT(4096) };
	struct ledger_row row = { .at_ms = sim_now(s),
		.service = "signin",
		.method = str_from(req->method),
		.path = str_from(req->path),
		.query = str_from(server_request_raw_query(req)),
		.connection = req->connection_number,
		.client_request_id = header(req, "x-ms-client-request-id") };
	char id[GUID_SIZE];
	bool outage = fault_in_span(s->faults, FAULT_OUTAGE, row.at_ms - s->started_ms);

	if (outage || fault_hits(s->faults, FAULT_SIGNIN_500, row.method, row.path)) {
		answer.status = outage ? 503 : 500;
		text_add(&answer.body,
		    "{\"error\":\"temporarily_unavailable\",\"error_description\":"
		    "\"AADSTS90033: A transient error has occurred.\"}");
		row.fault = outage ? "outage" : "signin.500";
	} else {
		signin_handle(
		    s, row.method, row.path, header(req, "Content-Type"), req->body, &answer);
	}
	ret->status = answer.status;
	ret->content_type = "application/json; charset=utf-8";
	ret->body = answer.body;
	ret->headers = (struct text)TEXT_INIT(4096);
	if (guid_random(id))
		text_printf(&ret->headers, "x-ms-request-id: %s\n", id);
	text_add(&ret->headers, "Cache-Control: no-store, no-cache\n");
	row.status = answer.status;
	ledger_add(s->ledger, &row);
}
