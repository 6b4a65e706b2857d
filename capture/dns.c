#include "capture/dns.h"

#include <stdio.h>

#include "capture/udp.h"

#define DNS_HEADER_BYTES 12
#define DNS_RESPONSE 0x8000
#define DNS_OPCODE 0x7800
#define LABEL_POINTER 0xc0
#define TYPE_A 1
#define TYPE_AAAA 28

/* A name as text; escapes can make it longer than its field, which then holds the beginning. */
struct name_text {
    char text[NOTICE_NAME_MAX + 1];
    size_t used;
    bool full;
};

static void append_text(struct name_text *name, const char *text)
{
    size_t size = strlen(text);

    name->full = name->full || name->used + size > NOTICE_NAME_MAX;
    if (name->full)
        return;
    memcpy(name->text + name->used, text, size + 1);
    name->used += size;
}

/* Append one byte of a label: printable ASCII as it is, the rest (with '.' and '\', which would
 * read as something else) as \ddd (RFC 1035 section 5.1). */
static void append_byte(struct name_text *name, uint8_t byte)
{
    bool plain = byte > ' ' && byte < 0x7f && byte != '.' && byte != '\\';
    char text[5];

    snprintf(text, sizeof text, plain ? "%c" : "\\%03u", byte);
    append_text(name, text);
}

/* Read the name at c, following compression pointers (RFC 1035 section 4.1.4) into message; each
 * must point before the one it came from, so the walk ends.  c moves behind the name. */
static bool take_name(const struct cursor *message, struct cursor *c, struct name_text *name)
{
    struct cursor at = *c;
    uint32_t before = (uint32_t)(c->at - message->at);
    uint8_t size, low;
    bool jumped = false;

    while (cursor_u8(&at, &size) && size != 0) {
        if ((size & LABEL_POINTER) == LABEL_POINTER) {
            uint32_t target;

            if (!cursor_u8(&at, &low))
                return false;
            if (!jumped)
                *c = at;
            jumped = true;
            target = (size & 0x3fu) << 8 | low;
            at = *message;
            if (target >= before || !cursor_skip(&at, target))
                return false;
            before = target;
            continue;
        }
        const uint8_t *label = cursor_take(&at, size);
        if (size > 63 || label == NULL)
            return false;
        if (name->used > 0)
            append_text(name, ".");
        for (uint8_t i = 0; i < size; i++)
            append_byte(name, label[i]);
    }
    if (!jumped)
        *c = at;
    return at.at > message->at && at.at[-1] == 0;
}

/* Step over a name without reading what pointers lead to. */
static bool skip_name(struct cursor *c)
{
    uint8_t size;

    while (cursor_u8(c, &size) && size != 0) {
        if ((size & LABEL_POINTER) == LABEL_POINTER)
            return cursor_skip(c, 1);
        if (size > 63 || !cursor_skip(c, size))
            return false;
    }
    return true;
}

/* Collect the addresses among count resource records (RFC 1035 section 4.1.3, RFC 3596). */
static void take_addrs(struct cursor *c, uint16_t count, struct notice *notice)
{
    for (; count > 0 && notice->dns_addr_count < NOTICE_ADDRS_MAX; count--) {
        const uint8_t *record = skip_name(c) ? cursor_take(c, 10) : NULL;

        if (record == NULL)
            return;
        uint16_t type = bytes_load16_big(record), size = bytes_load16_big(record + 8);
        const uint8_t *data = cursor_take(c, size);
        if (data == NULL)
            return;
        struct ip_addr *addr = &notice->dns_addrs[notice->dns_addr_count];
        if (type == TYPE_A && size == 4) {
            *addr = ip_addr_from_v4(data);
            notice->dns_addr_count++;
        } else if (type == TYPE_AAAA && size == 16) {
            memcpy(addr->bytes, data, sizeof addr->bytes);
            notice->dns_addr_count++;
        }
    }
}

enum decode_result dns_decode(struct layers *l, struct cursor c, uint16_t src_port,
                              uint16_t dst_port)
{
    const struct cursor message = c;
    const uint8_t *header = cursor_take(&c, DNS_HEADER_BYTES), *question;
    struct notice *notice = l->notice;
    struct name_text name = {.used = 0};

    if (header == NULL)
        return udp_skip(l);
    uint16_t flags = bytes_load16_big(header + 2), questions = bytes_load16_big(header + 4);
    bool response = (flags & DNS_RESPONSE) != 0;

    if (questions != 1 || (flags & DNS_OPCODE) != 0 || !take_name(&message, &c, &name) ||
        (question = cursor_take(&c, 4)) == NULL)
        return udp_skip(l);
    *notice = (struct notice){
        .time_ns = l->packet->time_ns,
        .frame = l->packet->frame,
        .kind = response ? NOTICE_DNS_ANSWER : NOTICE_DNS_QUERY,
        .src = ip_addr_load(l->ip_version, layers_ip_src(l)),
        .dst = ip_addr_load(l->ip_version, layers_ip_dst(l)),
        .dns_id = bytes_load16_big(header),
        .dns_type = bytes_load16_big(question),
        .dns_rcode = flags & 0x0f,
        .dns_client_port = response ? dst_port : src_port,
    };
    memcpy(notice->dns_name, name.text, sizeof name.text);
    if (response)
        take_addrs(&c, bytes_load16_big(header + 6), notice);
    udp_skip(l);
    return DECODE_NOTICE;
}
