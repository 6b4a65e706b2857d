/* Causes in a few words of people, for places where their sentence has no room. */
#ifndef TCPWHY_REPORT_CAUSE_WORDS_H
#define TCPWHY_REPORT_CAUSE_WORDS_H

/* "slow start of a short transfer" for "slow_start_short"; a slug without words stands for
 * itself. */
const char *cause_words(const char *slug);

#endif
