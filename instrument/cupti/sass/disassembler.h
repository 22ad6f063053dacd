// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "instrument/cupti/sass/sass_listing.h"

#include <chrono>
#include <filesystem>

namespace dormer::instrument::cupti::sass {

/// nvdisasm of the CUDA Toolkit: of the one that `toolkitLibrary` (CUPTI) belongs to, of CUDA_HOME or
/// CUDA_PATH, on PATH, or of /usr/local/cuda. Empty when there is none.
[[nodiscard]] std::filesystem::path findDisassembler(const std::filesystem::path& toolkitLibrary);

/// How long the disassembly of a kernel may take. Libraries with thousands of kernels take minutes as a
/// whole; nobody wants to wait for that.
inline constexpr std::chrono::milliseconds kDisassemblyLimit{20'000};

/// One function of a cubin, by running nvdisasm on it: on that function alone, or, should its version not do
/// that, on the whole cubin, both within the limit. ErrorKind::Target says why there is none.
[[nodiscard]] Result<std::vector<SassLine>> disassemble(const std::filesystem::path& nvdisasm, Bytes cubin,
                                                        const std::string& mangledName,
                                                        std::chrono::milliseconds limit = kDisassemblyLimit);

/// The listing of a whole cubin, for parseListing(): nvdisasm takes half a second to start, whatever it
/// lists.
[[nodiscard]] Result<std::string> listing(const std::filesystem::path& nvdisasm, Bytes cubin,
                                          std::chrono::milliseconds limit = kDisassemblyLimit);

} // namespace dormer::instrument::cupti::sass
