/* The yardstick of `make bench`: libpcap reads a file and nothing but a counter looks at it. */
#include <pcap.h>
#include <stdio.h>

static void count_packet(u_char *user, const struct pcap_pkthdr *header, const u_char *bytes)
{
    unsigned long long *counts = (unsigned long long *)(void *)user;

    (void)bytes;
    counts[0]++;
    counts[1] += header->caplen;
}

int main(int argc, char **argv)
{
    char error[PCAP_ERRBUF_SIZE];
    unsigned long long counts[2] = {0, 0};
    pcap_t *capture = argc == 2 ? pcap_open_offline(argv[1], error) : NULL;

    if (capture == NULL) {
        fprintf(stderr, "usage: loop FILE\n");
        return 2;
    }
    int result = pcap_dispatch(capture, -1, count_packet, (u_char *)counts);
    pcap_close(capture);
    printf("%llu packets, %llu bytes\n", counts[0], counts[1]);
    return result < 0;
}
