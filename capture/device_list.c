#include <pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/device_error.h"
#include "capture/dlt.h"
#include "capture/link_names.h"
#include "capture/source.h"
#include "xmalloc.h"

/* Append one line "NAME  description" to a text that grows. */
static char *append_line(char *text, const char *name, const char *description)
{
    char *longer = xasprintf("%s%-20s  %s\n", text, name, description);

    free(text);
    return longer;
}

/* What is known of a device: libpcap's description, or its state. */
static const char *describe(const pcap_if_t *device)
{
    if ((device->flags & PCAP_IF_UP) == 0 &&
        (device->flags & PCAP_IF_CONNECTION_STATUS) != PCAP_IF_CONNECTION_STATUS_NOT_APPLICABLE)
        return "down";
    if (device->description != NULL)
        return device->description;
    if (device->flags & PCAP_IF_LOOPBACK)
        return "loopback";
    return device->flags & PCAP_IF_RUNNING ? "up, running" : "up";
}

char *source_list_devices(char error[SOURCE_ERROR_MAX])
{
    char reason[PCAP_ERRBUF_SIZE];
    pcap_if_t *devices = NULL;

    if (pcap_findalldevs(&devices, reason) != 0) {
        snprintf(error, SOURCE_ERROR_MAX, "devices: %.300s. Try as root.", reason);
        return NULL;
    }
    char *text = xstrdup("");
    for (const pcap_if_t *device = devices; device != NULL; device = device->next)
        text = append_line(text, device->name, describe(device));
    pcap_freealldevs(devices);
    return text;
}

/* Lines for the link types of an activated device. */
static char *list_types(pcap_t *pcap, const char *device, char *error)
{
    int *types = NULL;
    int count = pcap_list_datalinks(pcap, &types);

    if (count < 0) {
        snprintf(error, SOURCE_ERROR_MAX, "%.100s: %.300s. Try another device.", device,
                 pcap_geterr(pcap));
        return NULL;
    }
    char *text = xstrdup("");
    for (int i = 0; i < count; i++) {
        const char *name = pcap_datalink_val_to_name(types[i]);
        const char *description = pcap_datalink_val_to_description(types[i]);
        bool supported = link_type_supported(link_type_from_dlt(types[i]));
        char *line = xasprintf("%s%s", description != NULL ? description : "",
                               supported ? "" : " (not supported)");

        text = append_line(text, name != NULL ? name : "unknown", line);
        free(line);
    }
    pcap_free_datalinks(types);
    return text;
}

char *source_list_link_types(const char *device, char error[SOURCE_ERROR_MAX])
{
    char reason[PCAP_ERRBUF_SIZE] = "";
    pcap_t *pcap = pcap_create(device, reason);
    char *text = NULL;

    if (pcap == NULL) {
        snprintf(error, SOURCE_ERROR_MAX, "%.100s: %.300s. tcpwhy -D lists the devices.", device,
                 reason);
        return NULL;
    }
    int status = pcap_activate(pcap);
    if (status < 0)
        device_explain(device, status, pcap_geterr(pcap), error);
    else
        text = list_types(pcap, device, error);
    pcap_close(pcap);
    return text;
}
