/* Members of JSON objects: unknown is null, a number is finite and carries its unit in its key.
 * Keys keep the order in which they are put. */
#ifndef TCPWHY_REPORT_JSON_VALUE_H
#define TCPWHY_REPORT_JSON_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

/* Takes over value. */
void json_put(json_t *object, const char *key, json_t *value);
void json_put_null(json_t *object, const char *key);
void json_put_bool(json_t *object, const char *key, bool value);
/* Our own words, ASCII; NULL = null. */
void json_put_word(json_t *object, const char *key, const char *word);
/* Anything off the wire or from a user; NULL = null. */
void json_put_text(json_t *object, const char *key, const char *text);
json_t *json_text(const char *text);
void json_put_count(json_t *object, const char *key, uint64_t count);
void json_put_bytes(json_t *object, const char *key, uint64_t bytes); /* BYTES_UNKNOWN = null */
void json_put_id(json_t *object, const char *key, uint64_t id);       /* 0 = null */
/* Exact to the nanosecond below 11 days; NS_UNKNOWN and spans below 0 = null. */
void json_put_seconds(json_t *object, const char *key, int64_t ns);
void json_put_ms(json_t *object, const char *key, int64_t ns);
/* Below 0 or not finite = null; rates to 0.1, other figures to 0.001, fine ones to 1e-9. */
void json_put_rate(json_t *object, const char *key, double bytes_per_s);
void json_put_figure(json_t *object, const char *key, double value);
void json_put_fine(json_t *object, const char *key, double value);
void json_put_pct(json_t *object, const char *key, double pct); /* held within 0..100 */

#endif
