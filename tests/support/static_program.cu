// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The smallest CUDA program, built the way the emulator can't run: with the runtime linked in.

__global__ void nothing() {}

int main() {
    nothing<<<1, 1>>>();
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
