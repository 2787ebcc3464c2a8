/* SPDX-License-Identifier: MIT */
#include "app_folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app_declaration.h"
#include "command.h"
#include "text.h"

#define APPS_MAX 256u

static int is_folder(const char *path)
{
    struct stat found;
    return !stat(path, &found) && S_ISDIR(found.st_mode);
}

char *hd_beside_executable(const char *relative)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return NULL;
    path[length] = '\0';
    *strrchr(path, '/') = '\0';
    char *folder = hd_text_format("%s/%s", path, relative);
    if (is_folder(folder))
        return folder;
    free(folder);
    return NULL;
}

char *hd_data_folder(const char *relative)
{
    char *here = hd_text_format("share/heddle/%s", relative);
    char *installed = hd_text_format("../share/heddle/%s", relative);
    char *found = hd_beside_executable(here);
    if (!found)
        found = hd_beside_executable(installed);
    free(here);
    free(installed);
    return found;
}

char *hd_apps_folder(void)
{
    const char *chosen = getenv("HEDDLE_APPS");
    if (chosen && *chosen)
        return hd_text_format("%s", chosen);
    char *folder = hd_beside_executable("apps");
    return folder ? folder : hd_beside_executable("../libexec/heddle/apps");
}

/* ---- Apps by name --------------------------------------------------------------------------------------------------- */

typedef struct app_names {
    char *names[APPS_MAX];
    char *folders[APPS_MAX];
    size_t count;
} app_names;

/* app: only of those that may be called so; NULL: of all. */
static void read_names(app_names *known, const char *apps, const char *app)
{
    DIR *opened = opendir(apps);
    known->count = 0;
    for (struct dirent *entry; opened && known->count < APPS_MAX && (entry = readdir(opened));) {
        if (entry->d_name[0] == '.')
            continue;
        char *path = known->folders[known->count] = hd_text_format("%s/%s", apps, entry->d_name);
        if (is_folder(path) && (!app || hd_app_may_be_called(path, app)))
            known->names[known->count++] = hd_app_declared_name(path);
        else
            free(path);
    }
    if (opened)
        closedir(opened);
}

static void free_names(app_names *known)
{
    while (known->count) {
        free(known->names[--known->count]);
        free(known->folders[known->count]);
    }
}

/* With the apps that there are. */
static void report_no_app(const char *app, const char *apps)
{
    app_names known;
    read_names(&known, apps, NULL);
    hd_usage_error(app, (const char *const *)known.names, known.count, "there is no app '%s' in %s", app, apps);
    free_names(&known);
}

/* The only folder whose app declares that name; else NULL, and it has been said. */
static char *declared_folder(const app_names *known, const char *app, const char *apps)
{
    const char *found = NULL;
    for (size_t i = 0; i < known->count; i++) {
        if (strcmp(known->names[i], app) != 0)
            continue;
        if (found) {
            hd_usage_error(NULL, NULL, 0, "'%s' is the name of several apps: %s and %s; a path says which one is meant",
                           app, found, known->folders[i]);
            return NULL;
        }
        found = known->folders[i];
    }
    if (!found)
        report_no_app(app, apps);
    return found ? hd_text_format("%s", found) : NULL;
}

static char *folder_of_name(const char *app, const char *apps)
{
    app_names known;
    read_names(&known, apps, app);
    char *folder = declared_folder(&known, app, apps);
    free_names(&known);
    return folder;
}

/* Named by its full path where the one given has no name in it. */
static char *folder_at(const char *path)
{
    if (is_folder(path))
        return strchr(path, '/') ? hd_text_format("%s", path) : realpath(path, NULL);
    hd_usage_error(NULL, NULL, 0, access(path, F_OK) ? "app %s: no such folder" : "app %s: it is no folder", path);
    return NULL;
}

char *hd_app_folder(const char *app)
{
    if (strchr(app, '/') || !strcmp(app, ".") || !strcmp(app, ".."))
        return folder_at(app);
    char *apps = hd_apps_folder();
    if (!apps) {
        hd_usage_error(NULL, NULL, 0, "no apps folder found; HEDDLE_APPS names one");
        return NULL;
    }
    char *folder = folder_of_name(app, apps);
    free(apps);
    return folder;
}
