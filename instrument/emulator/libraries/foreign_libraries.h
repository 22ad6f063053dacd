// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Libraries in this process that want a GPU of their own and can't be emulated.
namespace dormer::emulator::libraries {

/// A loaded library that the emulator doesn't stand in for.
struct Foreign {
    enum class Kind { CudaLibrary, Driver } kind = Kind::CudaLibrary;
    std::string product; ///< "cuBLAS"
    std::string path;
};

/// Of these files: NVIDIA's compute libraries, and drivers other than the one in `ownFolder`. By file name.
[[nodiscard]] std::vector<Foreign> foreignAmong(const std::vector<std::string>& paths,
                                                std::string_view ownFolder);
/// The same of all that is loaded now.
[[nodiscard]] std::vector<Foreign> foreignLibraries();
/// One line for the user of libraries that were found together; they are of one kind.
[[nodiscard]] std::string describe(const std::vector<Foreign>& libraries);

/// Why the library or program at this path can't use the emulated driver, though it tries to by means that
/// only NVIDIA's has. Empty for one that foreignLibraries() names.
[[nodiscard]] std::string whyNotDriven(std::string_view path);

} // namespace dormer::emulator::libraries
