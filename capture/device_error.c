#include "capture/device_error.h"

#include <net/if.h>
#include <pcap.h>
#include <stdio.h>
#include <string.h>

#include "capture/privileges.h"

/* So many names stand in a message; more are what -D is for. */
#define NAMES_MAX 6

/* "lo, ens3, any", or "lo, ens3, ... (tcpwhy -D lists all)"; empty when they can't be listed. */
static void name_devices(char *text, size_t size)
{
    char reason[PCAP_ERRBUF_SIZE];
    pcap_if_t *devices = NULL;
    size_t used = 0;
    int count = 0;

    text[0] = '\0';
    if (pcap_findalldevs(&devices, reason) != 0)
        return;
    for (const pcap_if_t *device = devices; device != NULL; device = device->next) {
        if (if_nametoindex(device->name) == 0 && strcmp(device->name, "any") != 0)
            continue; /* libpcap's list also has netlink and D-Bus sockets */
        if (count++ == NAMES_MAX) {
            snprintf(text + used, size - used, ", ... (tcpwhy -D lists all)");
            break;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%.24s", count > 1 ? ", " : "",
                                 device->name);
    }
    pcap_freealldevs(devices);
}

void device_explain(const char *device, int status, const char *reason,
                    char error[SOURCE_ERROR_MAX])
{
    char text[SOURCE_ERROR_MAX];

    switch (status) {
    case PCAP_ERROR_PERM_DENIED:
    case PCAP_ERROR_PROMISC_PERM_DENIED:
        privileges_explain(text, sizeof text);
        snprintf(error, SOURCE_ERROR_MAX, "%.80s: no permission to capture. %.400s", device, text);
        break;
    case PCAP_ERROR_NO_SUCH_DEVICE:
        name_devices(text, sizeof text);
        snprintf(error, SOURCE_ERROR_MAX, "no interface \"%.80s\". There are: %.300s.", device,
                 text);
        break;
    case PCAP_ERROR_IFACE_NOT_UP:
        snprintf(error, SOURCE_ERROR_MAX, "%.80s is down; nothing can be captured until it is up.",
                 device);
        break;
    default:
        if (reason[0] == '\0')
            reason = pcap_statustostr(status);
        snprintf(error, SOURCE_ERROR_MAX, "%.80s: %.300s. Try another device or fewer options.",
                 device, reason);
    }
}
