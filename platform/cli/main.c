/* SPDX-License-Identifier: MIT */
#include "command.h"

int main(int count, char **words)
{
    return hd_command_line(count, words);
}
