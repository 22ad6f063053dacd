// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/machine/machine.h"

namespace dormer::instrument::machine {

/// A CUPTI that comes with a program.
struct TargetCupti {
    std::filesystem::path library; ///< ".../nvidia/cuda_cupti/lib/libcupti.so.12"
    int cudaMajor = 0;             ///< 12; 0 where the name does not say
    std::string from;              ///< "Python packages of /opt/venv"
};

/// The CUPTI libraries that Python packages bring for this interpreter or script, such as PyTorch's: in
/// site-packages of its virtual environment, of its own installation, of the user and of PYTHONPATH. In the
/// order in which Python looks; empty for other programs. Nothing is executed.
[[nodiscard]] std::vector<TargetCupti> pythonCupti(const Machine& machine,
                                                   const std::filesystem::path& program);

/// The interpreter that a script's first line names, with env looked up in PATH; empty for other files.
[[nodiscard]] std::filesystem::path interpreterOf(const Machine& machine,
                                                  const std::filesystem::path& script);

/// 12 of "libcupti.so.12" or "libcupti.so.2025.3.1" -> 0: only major numbers below 100 are CUDA's.
[[nodiscard]] int cudaMajorOf(const std::string& library);

} // namespace dormer::instrument::machine
