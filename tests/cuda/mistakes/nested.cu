/* SPDX-License-Identifier: MIT */
__global__ void inner()
{
}

__global__ void outer()
{
    inner<<<1, 1>>>();
}

int main()
{
}
