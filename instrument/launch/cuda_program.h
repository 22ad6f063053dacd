// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace dormer::instrument::launch {

/// What an executable says of how it uses CUDA.
struct ProgramFacts {
    bool isElf = false;              ///< scripts are not; nothing else is known of them
    bool hasDeviceCode = false;      ///< nvcc put a fat binary into it
    std::vector<std::string> needed; ///< libraries it is linked with: "libcudart.so.13"
    std::vector<std::string> rpath;  ///< DT_RPATH, which comes before LD_LIBRARY_PATH
};

/// The file a shell would run for this word: as it is when it holds a slash, seen from `folder` (empty:
/// ours), else from PATH. ErrorKind::Target when there is none that can be run, or its interpreter is
/// missing, or it is built for another kind of CPU or for 32 bits.
[[nodiscard]] Result<std::filesystem::path> findProgram(const std::string& word,
                                                        const std::filesystem::path& folder = {});

/// ErrorKind::Target for a file that can't be read.
[[nodiscard]] Result<ProgramFacts> readProgram(const std::filesystem::path& program);

/// Whether it is linked with libraries of CUDA's whose handles the emulator has to make. Not where the
/// program wants its address sanitizer to come before all other libraries.
[[nodiscard]] bool needsHandles(const ProgramFacts& facts);

/// Whether the emulator can take the place of the program's CUDA runtime; ErrorKind::Target says why not and
/// which compiler flag helps. What holds no device code passes: it may start or load what does.
[[nodiscard]] Result<void> checkEmulatable(const std::filesystem::path& program);

} // namespace dormer::instrument::launch
