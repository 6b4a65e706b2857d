#include "capture/device.h"

#include <stdio.h>
#include <string.h>

#include "capture/device_error.h"
#include "capture/dlt.h"
#include "capture/filter.h"
#include "capture/link_names.h"

static bool set_timestamp_type(pcap_t *pcap, const char *device, const char *name, char *error)
{
    int type = pcap_tstamp_type_name_to_val(name);

    if (type >= 0 && pcap_set_tstamp_type(pcap, type) == 0)
        return true;
    snprintf(error, SOURCE_ERROR_MAX,
             "-j: %.100s does not stamp packets with \"%.80s\". See "
             "pcap-tstamp(7) for the types.",
             device, name);
    return false;
}

/* What is set before activation.  False is a fault of an option. */
static bool configure(pcap_t *pcap, const char *device, const struct source_options *o,
                      int block_timeout_ms, char *error)
{
    pcap_set_snaplen(pcap, o->snaplen_bytes);
    pcap_set_promisc(pcap, !o->no_promiscuous);
    pcap_set_timeout(pcap, block_timeout_ms);
    pcap_set_buffer_size(pcap, o->buffer_kib * 1024);
    pcap_set_tstamp_precision(pcap, PCAP_TSTAMP_PRECISION_NANO); /* where it is offered */
    return o->timestamp_type == NULL || set_timestamp_type(pcap, device, o->timestamp_type, error);
}

static bool set_link_type(pcap_t *pcap, const char *device, int link_type, char *error)
{
    const char *name = link_type_name(link_type);

    if (pcap_set_datalink(pcap, dlt_from_link_type(link_type)) == 0)
        return true;
    snprintf(error, SOURCE_ERROR_MAX,
             "-y: %.100s does not offer %s. tcpwhy -L -i %.100s lists what "
             "it does.",
             device, name != NULL ? name : "this type", device);
    return false;
}

static bool set_filter(pcap_t *pcap, const char *expression, char *error)
{
    struct bpf_program program;

    if (pcap_compile(pcap, &program, expression, 1, PCAP_NETMASK_UNKNOWN) != 0) {
        filter_explain(expression, pcap_geterr(pcap), error, SOURCE_ERROR_MAX);
        return false;
    }
    int result = pcap_setfilter(pcap, &program);
    pcap_freecode(&program);
    if (result != 0)
        filter_explain(expression, pcap_geterr(pcap), error, SOURCE_ERROR_MAX);
    return result == 0;
}

static bool set_direction(pcap_t *pcap, const char *device, int direction, char *error)
{
    static const pcap_direction_t directions[] = {PCAP_D_INOUT, PCAP_D_IN, PCAP_D_OUT};

    if (pcap_setdirection(pcap, directions[direction]) == 0)
        return true;
    snprintf(error, SOURCE_ERROR_MAX, "-Q: %.100s cannot tell in from out. Leave it out.", device);
    return false;
}

/* What is set after activation.  False is a fault of an option.  LINUX_SLL2 says on which interface
 * of "any" a packet was. */
static bool adjust(pcap_t *pcap, const char *device, const struct source_options *o, char *error)
{
    if (o->link_type < 0 && strcmp(device, "any") == 0)
        pcap_set_datalink(pcap, DLT_LINUX_SLL2); /* else it stays LINUX_SLL */
    return (o->link_type < 0 || set_link_type(pcap, device, o->link_type, error)) &&
           (o->filter == NULL || set_filter(pcap, o->filter, error)) &&
           (o->direction == 0 || set_direction(pcap, device, o->direction, error));
}

pcap_t *device_open(const char *device, const struct source_options *opt, int block_timeout_ms,
                    char error[SOURCE_ERROR_MAX], bool *usage_error)
{
    char reason[PCAP_ERRBUF_SIZE] = "";
    pcap_t *pcap = pcap_create(device, reason);

    if (pcap == NULL) {
        snprintf(error, SOURCE_ERROR_MAX, "%.100s: %.300s. tcpwhy -D lists the devices.", device,
                 reason);
        return NULL;
    }
    if (!configure(pcap, device, opt, block_timeout_ms, error)) {
        *usage_error = true;
        pcap_close(pcap);
        return NULL;
    }
    int status = pcap_activate(pcap); /* above 0: a warning that the device does less */
    if (status < 0) {
        device_explain(device, status, pcap_geterr(pcap), error);
    } else if (!adjust(pcap, device, opt, error)) {
        *usage_error = true;
    } else if (pcap_setnonblock(pcap, 1, reason) != 0) {
        snprintf(error, SOURCE_ERROR_MAX, "%.100s: %.300s. Try another device.", device, reason);
    } else {
        return pcap;
    }
    pcap_close(pcap);
    return NULL;
}
