/* SPDX-License-Identifier: MIT */
/*
 * heddle_bench_host_cpu: host speed of firmware that stays in its RAM, one host CPU by itself. It is advanced in spans as long
 * as the quantum, and in shorter ones, as by an engine whose other blocks have work.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "hd_host.h"
#include "host_cpu.h"
#include "kit.h"

enum { PORT_BUS = 0, REPETITIONS = 5, PROGRAM_MAX = 4096 };
#define SPAN (HD_PS_PER_SECOND / 5)
#define MICROSECOND (HD_PS_PER_SECOND / 1000000)

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void load(kit_block *kit)
{
    static uint8_t bytes[PROGRAM_MAX];
    FILE *file = fopen(BENCH_FIRMWARE, "rb");
    const size_t count = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (!count) {
        fprintf(stderr, "%s cannot be read\n", BENCH_FIRMWARE);
        exit(1);
    }
    fclose(file);
    kit_debug_write(kit, HD_HOST_RAM_BASE, bytes, (uint32_t)count);
}

/* Million instructions in a second of the host's processor time. */
static double measure(hd_time span)
{
    kit_block *kit = kit_create(&hd_host_cpu_rv64, (const char *[]){"ram.bytes=64 KiB", NULL});
    kit_connect(kit, PORT_BUS, 0, 1, 4);
    kit_start(kit);
    load(kit);
    const double begin = processor_seconds();
    for (hd_time t = span; t <= SPAN; t += span)
        kit_run_until(kit, t);
    const double seconds = processor_seconds() - begin;
    const double million = 1e-6 * (double)kit_statistic(kit, "instructions");
    kit_destroy(kit);
    return million / seconds;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    static const hd_time spans[] = {100 * MICROSECOND, 10 * MICROSECOND, 2 * MICROSECOND, MICROSECOND / 10};
    printf("%-28s %8s\n", "one host CPU, spans of", "MIPS");
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        double speeds[REPETITIONS];
        for (uint32_t n = 0; n < REPETITIONS; n++)
            speeds[n] = measure(spans[i]);
        qsort(speeds, REPETITIONS, sizeof *speeds, compare);
        printf("%9.1f us %25.0f\n", (double)spans[i] / (double)MICROSECOND, speeds[REPETITIONS / 2]);
    }
    return 0;
}
