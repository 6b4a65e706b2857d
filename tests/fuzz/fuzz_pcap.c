#include "capture/pcap_file.h"
#include "tests/fuzz/memory_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_format(&pcap_file_format, data, size);
    return 0;
}
