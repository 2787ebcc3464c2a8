/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_folder.h"
#include "input_file.h"
#include "machine_file.h"
#include "report/report_data.h"
#include "report/report_file.h"
#include "report/report_page.h"
#include "report/report_pictures.h"
#include "result_store.h"
#include "store_errors.h"
#include "text.h"

typedef struct report_words {
    const char *store;
    const char *page;
    const char *svg; /* folders; NULL: no pictures */
    const char *png;
    report_request request;
} report_words;

static int say(char *text)
{
    fputs(text, stderr);
    free(text);
    return HD_EXIT_USAGE;
}

/* "waiting.db" is shown in "waiting.html". To be freed. */
static char *page_path(const report_words *words)
{
    if (words->page)
        return hd_text_format("%s", words->page);
    const char *slash = strrchr(words->store, '/'), *name = slash ? slash + 1 : words->store, *dot = strrchr(name, '.');
    size_t length = dot && dot != name ? (size_t)(dot - words->store) : strlen(words->store);
    return hd_text_format("%.*s.html", (int)length, words->store);
}

static int write_page(const char *path, const char *folder, const json_t *data)
{
    char *error;
    size_t bytes;
    char *page = report_page(folder, data, &bytes, &error);
    if (!page)
        return say(error);
    int code = report_file_write(path, page, bytes, &error) ? HD_EXIT_PASS : say(error);
    free(page);
    return code;
}

/* Pictures first: when the page is there, all is. */
static int write_all(const report_words *words, const char *path, const char *folder, const json_t *data)
{
    char *said = NULL;
    if ((words->svg || words->png) &&
        !report_pictures(folder, data, (const char *const[]){words->store, path}, words->svg, words->png, &said))
        return say(said);
    int code = write_page(path, folder, data);
    if (code == HD_EXIT_PASS)
        printf("%sreport: %s\n", said ? said : "", path);
    free(said);
    return code;
}

static int report_store(const report_words *words, const char *path)
{
    char *error;
    store *opened = store_open(words->store, STORE_READ, &error);
    json_t *data = opened ? report_data(opened, &words->request, &error) : NULL;
    store_close(opened);
    if (!data)
        return say(error);
    char *folder = hd_data_folder("report");
    int code =
        folder ? write_all(words, path, folder, data)
               : say(store_error_text(STORE_ERROR_PARTS, "the folder share/heddle/report of this Heddle is missing"));
    free(folder);
    json_decref(data);
    return code;
}

/* With the plug-ins of the environment; statistics of others have no unit. */
static int report_with_units(report_words *words, const char *path)
{
    machine_file classes = {0};
    int code = machine_file_classes(&classes, &words->request.classes) ? report_store(words, path) : HD_EXIT_USAGE;
    machine_file_close(&classes);
    return code;
}

static int run_report(const hd_command *command, int count, char **words)
{
    report_words read = {.request = {.version = HEDDLE_VERSION}};
    const char **statistics = NULL;
    const hd_option_use options[] = {
        {.name = "-o", .takes_value = 1, .value = &read.page},
        {.name = "--svg", .takes_value = 1, .value = &read.svg},
        {.name = "--png", .takes_value = 1, .value = &read.png},
        {.name = "--experiment", .takes_value = 1, .value = &read.request.experiment},
        {.name = "--statistic", .takes_value = 1, .all = &statistics, .count = &read.request.statistic_count},
    };
    int code = HD_EXIT_USAGE;
    if (hd_arguments(command, count, words, options, sizeof options / sizeof *options, &read.store, 1, 1) >= 0) {
        read.request.statistics = statistics;
        char *path = page_path(&read), *error;
        input_file_note(read.store);
        code = report_file_check(path, &error) ? report_with_units(&read, path) : say(error);
        free(path);
    }
    free(statistics);
    return code;
}

const hd_command hd_command_report = {
    .name = "report",
    .usage = "DB [-o FILE.html] [--svg FOLDER] [--png FOLDER] [--experiment NAME] [--statistic PATTERN]...",
    .doc = "make a page with tables and plots from the results of a sweep",
    .help = "  DB                a store written by 'heddle sweep', which may still be running\n"
            "  -o FILE.html      the page (default: DB with the ending .html); it is self-contained\n"
            "  --svg FOLDER      also write each plot as a file, for papers (needs Node.js)\n"
            "  --png FOLDER      the same as PNG (needs Node.js, and rsvg-convert of librsvg)\n"
            "  --experiment NAME  experiment (default: all)\n"
            "  --statistic PATTERN  plot and list each matching statistic, with *, ? and [...], or a quotient of\n"
            "                    two, 'A / B' (default: those of the experiment)\n",
    .run = run_report,
};
