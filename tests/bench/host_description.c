/* SPDX-License-Identifier: MIT */
#include "host_description.h"

#include <stdio.h>
#include <string.h>

const char *host_processor(void)
{
    static char line[256];
    FILE *in = fopen("/proc/cpuinfo", "r");
    while (in && fgets(line, sizeof line, in)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !colon)
            continue;
        line[strcspn(line, "\n")] = 0;
        fclose(in);
        return colon + 2;
    }
    if (in)
        fclose(in);
    return "unknown";
}
