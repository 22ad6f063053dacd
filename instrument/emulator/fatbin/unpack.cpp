// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/fatbin/read.h"

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

namespace dormer::emulator::fatbin {
namespace {

// What a byte can expand to at most, so that a short entry can't ask for much memory: LZ4's block format adds
// up to 255 per length byte; zstd's blocks hold 128 KiB and take at least 4 bytes.
constexpr std::uint64_t kLz4Expansion = 255, kZstdExpansion = 32768;

std::unexpected<Error> broken(std::string what) {
    return failure(ErrorKind::Input, "fat binary: " + std::move(what));
}

} // namespace

Result<std::vector<std::byte>> Payload::unpack() const {
    if (compression == Compression::None) return std::vector<std::byte>(stored.begin(), stored.end());
    const bool lz4 = compression == Compression::Lz4;
    const std::uint64_t most = stored.size() * (lz4 ? kLz4Expansion : kZstdExpansion);
    if (bytes > most || bytes > kMaxUnpackedBytes || stored.size() > kMaxUnpackedBytes)
        return broken(fmt::format("{} compressed bytes can't unpack to {}", stored.size(), bytes));
    std::vector<std::byte> out(bytes);
    std::uint64_t unpacked = 0;
    if (lz4) {
        const int done = LZ4_decompress_safe(reinterpret_cast<const char*>(stored.data()),
                                             reinterpret_cast<char*>(out.data()),
                                             static_cast<int>(stored.size()), static_cast<int>(out.size()));
        if (done < 0) return broken("an LZ4 entry is damaged");
        unpacked = static_cast<std::uint64_t>(done);
    } else {
        const std::size_t done = ZSTD_decompress(out.data(), out.size(), stored.data(), stored.size());
        if (ZSTD_isError(done))
            return broken(fmt::format("a zstd entry is damaged ({})", ZSTD_getErrorName(done)));
        unpacked = done;
    }
    if (unpacked != bytes)
        return broken(fmt::format("an entry unpacked to {} bytes, not to {} as it claims", unpacked, bytes));
    return out;
}

} // namespace dormer::emulator::fatbin
