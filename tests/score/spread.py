#!/usr/bin/env python3
"""The limits of analysis/cause/loss_owner.c, drawn again.

  spread.py [RUNS]

Losses that strike each packet alike: gaps between events are exponential, and a window that grows by
a constant a round trip and falls to 0.7 at each (0.5 varies more) has what is out at an event spread
accordingly.  Printed for each number of events: the standard deviation over the mean that one run in
1,000, and one in 100, falls below."""
import random
import statistics
import sys

COUNTS = [3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64, 128]
WARM_UP = 12


def variation(values):
    return statistics.pstdev(values) / statistics.fmean(values)


def gaps(count):
    return [random.expovariate(1) for _ in range(count)]


def fills(count, beta=0.7):
    window, out = 1 / (1 - beta), []
    for i in range(WARM_UP + count):
        window = beta * window + random.expovariate(1)
        if i >= WARM_UP:
            out.append(window)
    return out


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    random.seed(1)
    print("%6s %16s %16s" % ("events", "gaps 1/1000 1/100", "fills 1/1000 1/100"))
    for count in COUNTS:
        row = []
        for draw in (gaps, fills):
            values = sorted(variation(draw(count)) for _ in range(runs))
            row += [values[runs // 1000], values[runs // 100]]
        print("%6d   %.3f  %.3f      %.4f  %.4f" % (count, *row))


if __name__ == "__main__":
    main()
