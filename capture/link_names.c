#include "capture/link_names.h"

#include <pcap.h>
#include <stdio.h>
#include <string.h>

#include "capture/link.h"

/* From 104 on a LINKTYPE_ value is the DLT_ value that libpcap has names for. */
#define FIRST_SHARED_VALUE 104

const char *link_type_name(int link_type)
{
    const struct link_type *type = link_type_find(link_type);

    if (type != NULL && type->name != NULL)
        return type->name;
    return link_type >= FIRST_SHARED_VALUE ? pcap_datalink_val_to_name(link_type) : NULL;
}

bool link_type_supported(int link_type)
{
    const struct link_type *type = link_type_find(link_type);

    return type != NULL && type->decode != NULL;
}

void link_type_list(char *text, size_t size)
{
    size_t used = 0;

    if (size == 0)
        return;
    text[0] = '\0';
    for (int i = 0; i < link_type_count() && used < size; i++) {
        const struct link_type *type = link_type_find(i), *previous = link_type_find(i - 1);

        if (type->decode == NULL || (previous != NULL && previous->name == type->name))
            continue;
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", type->name);
    }
}
