/* SPDX-License-Identifier: MIT */
/*
 * The files that this process reads: machines, apps, plug-ins, stores. Whoever opens one says so, and nothing that is written
 * takes its place (output_file.h). Safe on any thread.
 */
#ifndef TEXT_INPUT_FILE_H
#define TEXT_INPUT_FILE_H

#ifdef __cplusplus
extern "C" {
#endif

/* It is or will be read. A file that is not there is nothing to be kept. */
void input_file_note(const char *path);

/* Is the file at that path, by whatever name, one that is read? Devices and pipes never are. */
int input_file_is(const char *path);

#ifdef __cplusplus
}
#endif

#endif
