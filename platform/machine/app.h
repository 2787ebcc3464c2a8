/* SPDX-License-Identifier: MIT */
/* A built app: a folder with kernel.elf, its kernels, and the host program: host.so, native, and firmware.elf. */
#ifndef HD_APP_H
#define HD_APP_H

#include <stddef.h>
#include <stdint.h>

typedef struct hd_app {
    char *name;         /* app_declaration.h */
    void *library;      /* host.so */
    int library_file;   /* of one of several instances; 0: none */
    int (*entry)(void); /* hd_app_main */
    uint8_t *elf;       /* kernel.elf as it is */
    size_t elf_bytes;
    char *elf_path;
} hd_app;

/* Its kernels. Returns 1; or 0 and *error, text to be freed by the caller. */
uint32_t hd_app_open(hd_app *app, const char *folder, char **error);
/* The same of an app that is to lie elsewhere: kernel.movable.elf. */
uint32_t hd_app_open_movable(hd_app *app, const char *folder, char **error);
/* Its native host program. */
uint32_t hd_app_open_library(hd_app *app, const char *folder, char **error);
/* Another instance of it, with data of its own, in the place of the one that is open. */
uint32_t hd_app_open_library_again(hd_app *app, const char *folder, char **error);
/* Of an opened app, or one that is all zero. */
void hd_app_close(hd_app *app);

/* The bytes of a file, to be freed by the caller; or NULL and *error, text to be freed by the caller. */
uint8_t *hd_app_read(const char *path, size_t *bytes, char **error);

#endif
