/* SPDX-License-Identifier: MIT */
#include <cstdio>
__global__ void say(long value) { printf("%d\n", value); }

int main()
{
}
