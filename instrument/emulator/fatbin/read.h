// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "instrument/emulator/program/kernel.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// What nvcc packs into a program: PTX and cubins for several architectures. Untrusted input: whatever the
/// bytes are, the outcome is a value or an Error.
namespace dormer::emulator::fatbin {

enum class Compression : std::uint8_t { None, Lz4, Zstd };

/// Bytes of an entry as they lie in the fat binary, which has to outlive this.
struct Payload {
    std::span<const std::byte> stored;
    Compression compression = Compression::None;
    std::uint64_t bytes = 0; ///< once unpacked
    /// At most kMaxUnpackedBytes.
    [[nodiscard]] Result<std::vector<std::byte>> unpack() const;
};
inline constexpr std::uint64_t kMaxUnpackedBytes = 256ull << 20;

/// Architecture an entry was made for: compute_90 is 90 and '\0', sm_90a is 90 and 'a'.
struct Target {
    std::uint32_t number = 0;
    char suffix = '\0';                     ///< 'a': this architecture only; 'f': its family
    [[nodiscard]] std::string text() const; ///< "90a"
};

struct PtxImage {
    Target target;
    Payload payload;
    /// Unpacks: milliseconds for a megabyte.
    [[nodiscard]] Result<std::string> text() const;
};

struct CubinImage {
    Target target;
    Payload payload;
    [[nodiscard]] Result<std::vector<program::CubinKernel>> kernels() const;
};

struct FatBinary {
    std::vector<PtxImage> ptx;
    std::vector<CubinImage> cubins;
    bool hasLtoCode = false; ///< nvcc -dlto: intermediate code that only NVIDIA's linker reads
};

/// Reads the headers only. `bytes` must outlive the result; kinds of entries other than PTX and cubins are
/// skipped.
[[nodiscard]] Result<FatBinary> readFatBinary(std::span<const std::byte> bytes);

/// The fat binary a `__fatBinC_Wrapper_t` points to, which is what __cudaRegisterFatBinary gets. Empty when
/// the wrapper or what it points to lacks its magic number. The size is the one its header claims: the memory
/// is the program's own.
[[nodiscard]] std::span<const std::byte> fatBinaryOf(const void* wrapper);

/// Those of the units that a program linked by nvcc -rdc=true is made of: their wrapper's own fat binary
/// holds the machine code that came of them. Empty for other programs.
[[nodiscard]] std::vector<std::span<const std::byte>> unitsOf(const void* wrapper);

/// The newest PTX that a chip of this compute capability (90) can compile; null when there is none.
/// Architecture-specific PTX counts for exactly its chip, and wins there.
[[nodiscard]] const PtxImage* choosePtx(const FatBinary& binary, std::uint32_t computeCapability);
/// The cubin whose register counts tell most about that chip: its own, else the newest older one.
[[nodiscard]] const CubinImage* chooseCubin(const FatBinary& binary, std::uint32_t computeCapability);

} // namespace dormer::emulator::fatbin
