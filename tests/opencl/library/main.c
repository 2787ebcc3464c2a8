/* SPDX-License-Identifier: MIT */
/* main FOLDER [WORKLOAD ...]: the kernels of the folder; all workloads, or those that are named. */
#include "library.h"

typedef struct workload {
    const char *name;
    void (*run)(const library *of);
} workload;

static const workload workloads[] = {
    {"scan", run_scan},           {"sort", run_sort},
    {"formats", run_formats},     {"conjugate_gradient", run_conjugate_gradient},
    {"page_rank", run_page_rank}, {"breadth_first", run_breadth_first},
    {"clusters", run_clusters},   {"tiles", run_tiles},
    {"copies", run_copies},       {"refusals", run_refusals},
};

static int is_wrong;

void report(const char *name, int is_right, uint32_t result)
{
    printf("%s: %s %08x\n", name, is_right ? "right" : "wrong", result);
    is_wrong |= !is_right;
}

static int is_asked(const char *name, int count, char **names)
{
    int asked = count == 0;
    for (int i = 0; i < count; i++)
        asked |= !strcmp(names[i], name);
    return asked;
}

int main(int count, char **words)
{
    library of;
    if (count < 2)
        return 2;
    library_open(&of, words[1]);
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++)
        if (is_asked(workloads[i].name, count - 2, words + 2))
            workloads[i].run(&of);
    library_close(&of);
    return is_wrong;
}
