/* SPDX-License-Identifier: MIT */
#include "folders.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int folder_make(const char *path)
{
    char *copy = strdup(path);
    int is_made = copy != NULL;
    for (char *slash = copy ? strchr(copy + 1, '/') : NULL; slash && is_made; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        is_made = !mkdir(copy, 0777) || errno == EEXIST;
        *slash = '/';
    }
    is_made = is_made && (!mkdir(path, 0777) || errno == EEXIST);
    free(copy);
    return is_made;
}
