#include "capture/compressed.h"

#include <lz4frame.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST /* next_in points to const */
#include <zlib.h>
#include <zstd.h>

#include "xmalloc.h"

/* xz -9 needs 65 MiB to decode; a file that asks for more than this is refused. */
#define XZ_MEMORY_MAX ((uint64_t)256 << 20)

struct gzip_state {
    z_stream zlib;
    bool member_ended;
};

static void *gzip_start(void)
{
    struct gzip_state *state = xcalloc(1, sizeof *state);

    /* 16 + 15: gzip header, largest window */
    if (inflateInit2(&state->zlib, 16 + 15) == Z_OK)
        return state;
    free(state);
    return NULL;
}

static enum codec_result gzip_decode(void *data, struct codec_io *io)
{
    struct gzip_state *state = data;
    z_stream *zlib = &state->zlib;

    if (state->member_ended) {
        if (io->in_bytes == 0)
            return CODEC_BOUNDARY;
        inflateReset(zlib);
        state->member_ended = false;
    }
    zlib->next_in = io->in;
    zlib->avail_in = (uInt)io->in_bytes;
    zlib->next_out = io->out;
    zlib->avail_out = (uInt)io->out_bytes;
    int result = inflate(zlib, Z_NO_FLUSH);
    io->in = zlib->next_in;
    io->in_bytes = zlib->avail_in;
    io->out = zlib->next_out;
    io->out_bytes = zlib->avail_out;
    state->member_ended = result == Z_STREAM_END;
    if (state->member_ended)
        return CODEC_BOUNDARY;
    if (result == Z_OK || result == Z_BUF_ERROR)
        return CODEC_MORE;
    io->reason = zlib->msg != NULL ? zlib->msg : "unknown method";
    return CODEC_DAMAGED;
}

static void gzip_stop(void *data)
{
    struct gzip_state *state = data;

    inflateEnd(&state->zlib);
    free(state);
}

static void *zstd_start(void)
{
    return ZSTD_createDStream();
}

static enum codec_result zstd_decode(void *state, struct codec_io *io)
{
    ZSTD_inBuffer in = {io->in, io->in_bytes, 0};
    ZSTD_outBuffer out = {io->out, io->out_bytes, 0};
    size_t result = ZSTD_decompressStream(state, &out, &in);

    io->in += in.pos;
    io->in_bytes -= in.pos;
    io->out += out.pos;
    io->out_bytes -= out.pos;
    if (ZSTD_isError(result)) {
        io->reason = ZSTD_getErrorName(result);
        return CODEC_DAMAGED;
    }
    return result == 0 ? CODEC_BOUNDARY : CODEC_MORE;
}

static void zstd_stop(void *state)
{
    ZSTD_freeDStream(state);
}

static void *xz_start(void)
{
    lzma_stream *state = xcalloc(1, sizeof *state);

    if (lzma_stream_decoder(state, XZ_MEMORY_MAX, LZMA_CONCATENATED) == LZMA_OK)
        return state;
    free(state);
    return NULL;
}

static enum codec_result xz_decode(void *data, struct codec_io *io)
{
    lzma_stream *state = data;

    state->next_in = io->in;
    state->avail_in = io->in_bytes;
    state->next_out = io->out;
    state->avail_out = io->out_bytes;
    lzma_ret result = lzma_code(state, io->in_end ? LZMA_FINISH : LZMA_RUN);
    io->in = state->next_in;
    io->in_bytes = state->avail_in;
    io->out = state->next_out;
    io->out_bytes = state->avail_out;
    if (result == LZMA_STREAM_END)
        return CODEC_BOUNDARY;
    if (result == LZMA_OK || result == LZMA_BUF_ERROR)
        return CODEC_MORE;
    io->reason = result == LZMA_MEMLIMIT_ERROR ? "its dictionary needs too much memory"
                                               : "wrong data or check";
    return CODEC_DAMAGED;
}

static void xz_stop(void *data)
{
    lzma_end(data);
    free(data);
}

static void *lz4_start(void)
{
    LZ4F_dctx *state = NULL;

    if (LZ4F_isError(LZ4F_createDecompressionContext(&state, LZ4F_VERSION)))
        return NULL;
    return state;
}

static enum codec_result lz4_decode(void *state, struct codec_io *io)
{
    size_t out_bytes = io->out_bytes, in_bytes = io->in_bytes;
    size_t result = LZ4F_decompress(state, io->out, &out_bytes, io->in, &in_bytes, NULL);

    if (LZ4F_isError(result)) {
        io->reason = LZ4F_getErrorName(result);
        return CODEC_DAMAGED;
    }
    io->in += in_bytes;
    io->in_bytes -= in_bytes;
    io->out += out_bytes;
    io->out_bytes -= out_bytes;
    return result == 0 ? CODEC_BOUNDARY : CODEC_MORE;
}

static void lz4_stop(void *state)
{
    LZ4F_freeDecompressionContext(state);
}

static const struct codec codecs[] = {
    {"gzip", {0x1f, 0x8b}, 2, gzip_start, gzip_decode, gzip_stop},
    {"zstd", {0x28, 0xb5, 0x2f, 0xfd}, 4, zstd_start, zstd_decode, zstd_stop},
    {"xz", {0xfd, '7', 'z', 'X', 'Z', 0}, 6, xz_start, xz_decode, xz_stop},
    {"lz4", {0x04, 0x22, 0x4d, 0x18}, 4, lz4_start, lz4_decode, lz4_stop},
};

const struct codec *codec_find(const uint8_t *first, size_t count)
{
    for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++)
        if (count >= codecs[i].magic_bytes &&
            memcmp(first, codecs[i].magic, codecs[i].magic_bytes) == 0)
            return &codecs[i];
    return NULL;
}
