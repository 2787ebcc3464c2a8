/* SPDX-License-Identifier: MIT */
/* replay FOLDER...: the target with every file of the folders, for compilers without libFuzzer. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static uint8_t *read_file(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        return NULL;
    *count = (size_t)ftell(file);
    uint8_t *bytes = malloc(*count ? *count : 1);
    rewind(file);
    if (bytes && fread(bytes, 1, *count, file) != *count) {
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

static void replay(const char *folder, const char *name)
{
    char path[4096];
    size_t count;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    uint8_t *bytes = read_file(path, &count);
    fuzz_require(bytes, "%s cannot be read", path);
    printf("%s\n", path);
    fflush(stdout);
    fuzz_one((fuzz_input){.bytes = bytes, .left = count});
    free(bytes);
}

static int is_input(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Absolute paths: a target may change the folder. */
int main(int count, char **folders)
{
    int inputs = 0;
    for (int i = 1; i < count; i++) {
        struct dirent **entries;
        int found = scandir(folders[i], &entries, is_input, alphasort);
        fuzz_require(found >= 0, "%s is no folder", folders[i]);
        for (int e = 0; e < found; e++, inputs++) {
            replay(folders[i], entries[e]->d_name);
            free(entries[e]);
        }
        free(entries);
    }
    printf("%d inputs\n", inputs);
    return inputs ? EXIT_SUCCESS : EXIT_FAILURE;
}
