/* Loads of unaligned integers from file headers, in the file's byte order. */
#ifndef TCPWHY_CAPTURE_BYTES_H
#define TCPWHY_CAPTURE_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Host order; swapped says that the file was written in the other one. */
static inline uint16_t bytes_load16(const uint8_t *bytes, bool swapped)
{
    uint16_t value;

    memcpy(&value, bytes, sizeof value);
    return swapped ? __builtin_bswap16(value) : value;
}

static inline uint32_t bytes_load32(const uint8_t *bytes, bool swapped)
{
    uint32_t value;

    memcpy(&value, bytes, sizeof value);
    return swapped ? __builtin_bswap32(value) : value;
}

static inline uint64_t bytes_load64(const uint8_t *bytes, bool swapped)
{
    uint64_t value;

    memcpy(&value, bytes, sizeof value);
    return swapped ? __builtin_bswap64(value) : value;
}

/* Network order. */
static inline uint16_t bytes_load16_big(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static inline uint32_t bytes_load32_big(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Little-endian order (802.11 headers, PKTAP). */
static inline uint16_t bytes_load16_little(const uint8_t *bytes)
{
    return (uint16_t)(bytes[1] << 8 | bytes[0]);
}

static inline uint32_t bytes_load32_little(const uint8_t *bytes)
{
    return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

#endif
