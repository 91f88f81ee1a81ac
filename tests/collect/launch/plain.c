/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
    for (int i = 1; i < count; ++i)
        printf("%s\n", arguments[i]);
    return count > 1 ? atoi(arguments[1]) : 0;
}
