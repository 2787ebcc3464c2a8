/* SPDX-License-Identifier: MIT */
static int on_host(int value)
{
    return value + 1;
}

__global__ void call(int *out)
{
    *out = on_host(1);
}

int main()
{
}
