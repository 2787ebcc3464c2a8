/* SPDX-License-Identifier: MIT */
/* Where an app lies. */
#ifndef HD_APP_FOLDER_H
#define HD_APP_FOLDER_H

/*
 * Path of the folder of a built app, to be freed: `app` itself if it has a '/' in it or is '.' or '..', else the folder
 * of the app with that name (app_declaration.h) in $HEDDLE_APPS, or beside the executable (apps), or where it is installed
 * (../libexec/heddle/apps). NULL: none or several, and it has been said on stderr.
 */
char *hd_app_folder(const char *app);

/* Path of the folder with the built apps, to be freed; NULL if there is none. */
char *hd_apps_folder(void);

/* Path of a folder, from the one in which the executable lies; to be freed. NULL if there is no such folder. */
char *hd_beside_executable(const char *relative);

/* Path of a folder of share/heddle, in the build folder or in an installation; to be freed. NULL if there is none. */
char *hd_data_folder(const char *relative);

#endif
