/* How a reader checks one piece of evidence by hand: what shows it in Wireshark and tshark. */
#ifndef TCPWHY_REPORT_PROOF_H
#define TCPWHY_REPORT_PROOF_H

#include "report/units.h"

/* Names of the fields that show a FACT_ word of analysis/cause/note_codes.h, separated by a blank;
 * NULL = no field of a single frame does. */
const char *proof_fields(const char *fact);

/* Display filter that shows one frame: "frame.number==27". */
struct units_text proof_filter(uint64_t frame);

#endif
