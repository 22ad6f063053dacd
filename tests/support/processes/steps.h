// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// CUDA work for programs of several processes, in a library as Python would load it.
extern "C" {
/// So many steps, each a launch in the NVTX range "forward" and one in "backward". 0 when the result is
/// right.
int takeSteps(int steps);
/// A launch that never ends.
void waitForever();
}
