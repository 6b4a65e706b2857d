#include "capture/dlt.h"

#include <pcap.h>
#include <stddef.h>

/* Those that differ. */
static const struct {
    int link_type, dlt;
} map[] = {{100, DLT_ATM_RFC1483}, {101, DLT_RAW},      {102, DLT_SLIP_BSDOS}, {103, DLT_PPP_BSDOS},
           {104, DLT_C_HDLC},      {106, DLT_ATM_CLIP}, {107, DLT_FRELAY},     {108, DLT_LOOP},
           {109, DLT_ENC},         {117, DLT_PFLOG},    {246, DLT_PFSYNC},     {258, DLT_PKTAP}};

int dlt_from_link_type(int link_type)
{
    for (size_t i = 0; i < sizeof map / sizeof map[0]; i++)
        if (map[i].link_type == link_type)
            return map[i].dlt;
    return link_type;
}

int link_type_from_dlt(int dlt)
{
    for (size_t i = 0; i < sizeof map / sizeof map[0]; i++)
        if (map[i].dlt == dlt)
            return map[i].link_type;
    return dlt;
}
