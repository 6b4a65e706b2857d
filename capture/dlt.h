/* Link types have two numbers: LINKTYPE_ in files (everywhere in this program) and libpcap's DLT_,
 * which differ for a few, by operating system. */
#ifndef TCPWHY_CAPTURE_DLT_H
#define TCPWHY_CAPTURE_DLT_H

int dlt_from_link_type(int link_type);
int link_type_from_dlt(int dlt);

#endif
