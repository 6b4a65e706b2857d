#include "report/words.h"

#include <stdbool.h>
#include <stdio.h>

#include "report/units.h"

const char *words_state(enum flow_state state)
{
    static const char *const words[] = {
        [FLOW_SYN_ONLY] = "syn_only",
        [FLOW_OPEN] = "open",
        [FLOW_CLOSED] = "closed",
        [FLOW_RESET] = "reset",
    };

    return words[state];
}

const char *words_position(enum tap_position position)
{
    static const char *const words[] = {
        [TAP_UNKNOWN] = "unknown",
        [TAP_CLIENT] = "client",
        [TAP_SERVER] = "server",
        [TAP_MIDDLE] = "middle",
    };

    return words[position];
}

const char *words_confidence(enum confidence confidence)
{
    static const char *const words[] = {
        [CONFIDENCE_LOW] = "low",
        [CONFIDENCE_MEDIUM] = "medium",
        [CONFIDENCE_HIGH] = "high",
    };

    return words[confidence];
}

const char *words_actor(enum actor actor)
{
    static const char *const words[] = {
        [ACTOR_CLIENT] = "client",
        [ACTOR_SERVER] = "server",
        [ACTOR_NETWORK] = "network",
        [ACTOR_CAPTURE] = "capture",
    };

    return words[actor];
}

const char *words_direction(enum direction direction)
{
    return direction == S2C ? "s2c" : "c2s";
}

const char *words_ender(enum ender ender)
{
    return ender == ENDED_BY_CLIENT ? "client" : ender == ENDED_BY_SERVER ? "server" : NULL;
}

const char *words_congestion(enum congestion_signature signature)
{
    return signature == CONGESTION_SELF_INDUCED ? "self"
           : signature == CONGESTION_EXTERNAL   ? "external"
                                                : NULL;
}

enum event_unit { UNIT_NONE, UNIT_BYTES, UNIT_TIME };

/* What is known of each kind of event; the value follows the text in its unit. */
static const struct event_words {
    const char *kind, *level, *text;
    enum event_unit unit;
} events[EVENT_KINDS] = {
    [EVENT_FLOW_START] = {"flow_start", "info", "connection begins", UNIT_NONE},
    [EVENT_FLOW_END] = {"flow_end", "info", "connection ends", UNIT_NONE},
    [EVENT_RESET] = {"reset", "warning", "connection reset", UNIT_NONE},
    [EVENT_RETRANSMISSION] = {"retransmission", "notice", "retransmission", UNIT_BYTES},
    [EVENT_TIMEOUT] = {"timeout", "warning", "retransmission after a time-out", UNIT_BYTES},
    [EVENT_ZERO_WINDOW] = {"zero_window", "warning", "the receiver's window closes", UNIT_NONE},
    [EVENT_WINDOW_OPEN] = {"window_open", "info", "the receiver's window opens again", UNIT_BYTES},
    [EVENT_GAP] = {"gap", "warning", "data not in the capture", UNIT_BYTES},
    [EVENT_IDLE_RESTART] = {"idle_restart", "notice", "restart after idle time", UNIT_TIME},
    [EVENT_ICMP] = {"icmp", "warning", "ICMP error; MTU", UNIT_BYTES},
    [EVENT_CLOCK_STEP] = {"clock_step", "warning", "the capture's clock steps back", UNIT_TIME},
};

const char *words_event_kind(enum event_kind kind)
{
    return events[kind].kind;
}

const char *words_event_level(const struct event_result *event)
{
    return events[event->kind].level;
}

/* Kinds that one side causes say which: the data's sender, or for a window its receiver. */
static const char *side_of(const struct event_result *event)
{
    const bool window = event->kind == EVENT_ZERO_WINDOW || event->kind == EVENT_WINDOW_OPEN;

    if (event->kind == EVENT_FLOW_START || event->kind == EVENT_FLOW_END ||
        event->kind == EVENT_ICMP || event->kind == EVENT_CLOCK_STEP)
        return "";
    return (event->direction == C2S) != window ? " (client)" : " (server)";
}

struct words_text words_event_text(const struct event_result *event)
{
    const struct event_words *words = &events[event->kind];
    struct words_text out;

    if (words->unit == UNIT_NONE || event->value == 0)
        snprintf(out.text, sizeof out.text, "%s%s", words->text, side_of(event));
    else
        snprintf(out.text, sizeof out.text, "%s%s: %s", words->text, side_of(event),
                 words->unit == UNIT_BYTES ? units_bytes(event->value).text
                                           : units_seconds((double)event->value / 1e9).text);
    return out;
}
