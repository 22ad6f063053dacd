// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/machine/machine.h"

namespace dormer::instrument::machine {

/// A tool that may keep the GPU's counters from others.
struct CounterHolder {
    std::string text;   ///< "nv-hostengine (process 812), NVIDIA DCGM"
    std::string remedy; ///< "dcgmi profiling --pause, and --resume afterwards"
};

/// Profilers and monitors among the running processes, and a library that the environment has CUDA load.
[[nodiscard]] std::vector<CounterHolder> counterHolders(const Machine& machine);

} // namespace dormer::instrument::machine
