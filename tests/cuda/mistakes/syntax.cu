/* SPDX-License-Identifier: MIT */
__global__ void wrong(int *out)
{
    out[0] = undeclared;
}

int main()
{
}
