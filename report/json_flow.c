/* flows[]: identity, state, where the capture stood; its two directions are json_direction.c's. */
#include "report/json.h"

#include "report/json_value.h"
#include "report/words.h"

json_t *json_endpoint(const struct view *view, const struct endpoint *end)
{
    char address[ADDRESS_TEXT_MAX];
    json_t *out = json_object();

    view_address(view, &end->addr, address);
    json_put_word(out, "addr", address);
    json_put_count(out, "port", end->port);
    return out;
}

static json_t *vantage(const struct flow_result *flow)
{
    json_t *out = json_object();

    json_put_word(out, "position", words_position(flow->position));
    json_put_ms(out, "client_leg_ms", flow->client_leg_ns);
    json_put_ms(out, "server_leg_ms", flow->server_leg_ns);
    return out;
}

static void put_owners(const struct view *view, json_t *out, uint64_t flow_id)
{
    const struct transfer_result *transfer = view_transfer_of_flow(view, flow_id);
    const struct session_result *session = view_session_of_flow(view, flow_id);
    json_t *ids = json_array();

    if (transfer != NULL)
        json_array_append_new(ids, json_integer((json_int_t)transfer->id));
    json_put_word(out, "protocol", view_protocol_of_flow(view, flow_id));
    json_put_id(out, "session_id", session != NULL ? session->id : 0);
    json_put(out, "transfer_ids", ids);
}

json_t *json_flow(const struct view *view, const struct flow_result *flow)
{
    json_t *out = json_object();

    json_put_count(out, "id", flow->id);
    json_put(out, "client", json_endpoint(view, &flow->client));
    json_put(out, "server", json_endpoint(view, &flow->server));
    json_put_bool(out, "role_known", flow->role_known);
    json_put_seconds(out, "start_s", view_since_start(view, flow->start_ns));
    json_put_seconds(out, "duration_s", flow->end_ns - flow->start_ns);
    json_put_word(out, "state", words_state(flow->state));
    put_owners(view, out, flow->id);
    json_put(out, "vantage", vantage(flow));
    json_put_ms(out, "handshake_rtt_ms", flow->handshake_rtt_ns);
    json_put_bool(out, "handshake_seen", flow->handshake_seen);
    json_put_bool(out, "one_way", flow->one_way);
    json_put_bool(out, "evicted", flow->evicted);
    json_put_count(out, "syn_retransmissions", flow->syn_retransmissions);
    json_put_count(out, "rst_ignored", flow->rst_ignored);
    json_put_id(out, "vlan", flow->vlan);
    json_put_count(out, "file", flow->source + 1U);
    json_put_id(out, "first_frame", flow->first_frame);
    json_put_id(out, "last_frame", flow->last_frame);
    json_put(out, "c2s", json_direction(view, flow, C2S));
    json_put(out, "s2c", json_direction(view, flow, S2C));
    return out;
}
