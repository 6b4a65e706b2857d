#include "capture/pcapng.h"
#include "tests/fuzz/memory_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_format(&pcapng_format, data, size);
    return 0;
}
