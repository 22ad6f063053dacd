// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/fatbin/read.h"

#include "instrument/emulator/fatbin/cubin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace dormer::emulator::fatbin {
namespace {

// The format is not documented: layouts and flags as nvcc 13.0 writes them with each --compress-mode and for
// plain, "a" and "f" architectures.
constexpr std::uint32_t kWrapperMagic = 0x466243B1;
constexpr std::uint32_t kHeaderMagic = 0xBA55ED50;
constexpr std::uint16_t kKindPtx = 1, kKindCubin = 2, kKindLto = 8;
constexpr std::uint64_t kFlagLz4 = 0x2000, kFlagZstd = 0x8000;
constexpr std::uint64_t kFlagArchitectureSpecific = 0x100000, kFlagFamilySpecific = 0x200000;

struct Header {
    std::uint32_t magic;
    std::uint16_t version, headerBytes;
    std::uint64_t bytes; ///< behind the header
};
static_assert(sizeof(Header) == 16);

struct EntryHeader {
    std::uint16_t kind, version;
    std::uint32_t headerBytes;
    std::uint64_t storedBytes; ///< padded
    std::uint32_t packedBytes; ///< 0 when not compressed
    std::uint32_t optionsOffset;
    std::uint16_t minor, major;
    std::uint32_t architecture;
    std::uint32_t nameOffset, nameBytes;
    std::uint64_t flags;
    std::uint64_t reserved;
    std::uint64_t unpackedBytes; ///< 0 when not compressed
};
static_assert(sizeof(EntryHeader) == 64);

/// As in crt/fatbinary_section.h.
struct Wrapper {
    std::int32_t magic, version;
    const void* data;
    const void* const* units; ///< of version 2: their fat binaries, up to a null
};
constexpr std::int32_t kLinkedVersion = 2;

// Nothing in the file guarantees alignment.
template <typename T>
T load(std::span<const std::byte> bytes, std::size_t at) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

std::unexpected<Error> broken(std::string what) {
    return failure(ErrorKind::Input, "fat binary: " + std::move(what));
}

Target targetOf(const EntryHeader& entry) {
    Target target{.number = entry.architecture};
    if (entry.flags & kFlagArchitectureSpecific)
        target.suffix = 'a';
    else if (entry.flags & kFlagFamilySpecific)
        target.suffix = 'f';
    return target;
}

Result<Payload> payloadOf(const EntryHeader& entry, std::span<const std::byte> stored) {
    Payload payload;
    const bool lz4 = entry.flags & kFlagLz4, zstd = entry.flags & kFlagZstd;
    if (lz4 && zstd) return broken("an entry claims two compressions");
    if (!lz4 && !zstd) {
        payload.stored = stored;
        payload.bytes = stored.size();
        return payload;
    }
    if (entry.packedBytes > stored.size()) return broken("a compressed entry reaches beyond its end");
    if (entry.unpackedBytes > kMaxUnpackedBytes)
        return broken(fmt::format("an entry claims to unpack to {} bytes, more than {} are not accepted",
                                  entry.unpackedBytes, kMaxUnpackedBytes));
    payload.compression = lz4 ? Compression::Lz4 : Compression::Zstd;
    payload.stored = stored.first(entry.packedBytes);
    payload.bytes = entry.unpackedBytes;
    return payload;
}

/// Code for `target` runs on, or tells something about, a chip of this compute capability.
bool suits(const Target& target, std::uint32_t computeCapability) {
    return target.suffix == '\0' ? target.number <= computeCapability : target.number == computeCapability;
}

template <typename Image>
const Image* newest(const std::vector<Image>& images, std::uint32_t computeCapability) {
    const Image* best = nullptr;
    for (const Image& image : images) {
        if (!suits(image.target, computeCapability)) continue;
        const auto rank = [](const Image& i) { return std::pair(i.target.number, i.target.suffix == 'a'); };
        if (best == nullptr || rank(image) > rank(*best)) best = &image;
    }
    return best;
}

std::optional<Wrapper> readWrapper(const void* wrapper) {
    if (wrapper == nullptr) return std::nullopt;
    Wrapper w;
    std::memcpy(&w, wrapper, sizeof w);
    if (static_cast<std::uint32_t>(w.magic) != kWrapperMagic) return std::nullopt;
    return w;
}

/// The fat binary there, as long as its header claims; empty when there is none.
std::span<const std::byte> bytesAt(const void* data) {
    if (data == nullptr) return {};
    Header header;
    std::memcpy(&header, data, sizeof header);
    if (header.magic != kHeaderMagic) return {};
    return {static_cast<const std::byte*>(data), header.headerBytes + header.bytes};
}

} // namespace

std::string Target::text() const {
    std::string out = std::to_string(number);
    if (suffix != '\0') out += suffix;
    return out;
}

Result<std::string> PtxImage::text() const {
    auto bytes = payload.unpack();
    if (!bytes) return std::unexpected(std::move(bytes.error()));
    // Padded with zeros.
    const auto end = std::find(bytes->begin(), bytes->end(), std::byte{0});
    std::string out(static_cast<std::size_t>(end - bytes->begin()), '\0');
    if (!out.empty()) std::memcpy(out.data(), bytes->data(), out.size());
    return out;
}

Result<std::vector<program::CubinKernel>> CubinImage::kernels() const {
    auto bytes = payload.unpack();
    if (!bytes) return std::unexpected(std::move(bytes.error()));
    return readCubin(*bytes);
}

Result<FatBinary> readFatBinary(std::span<const std::byte> bytes) {
    if (bytes.size() < sizeof(Header)) return broken("shorter than its header");
    const auto header = load<Header>(bytes, 0);
    if (header.magic != kHeaderMagic) return broken("the magic number is missing");
    if (header.headerBytes < sizeof(Header) || header.headerBytes > bytes.size() ||
        header.bytes > bytes.size() - header.headerBytes)
        return broken("the header claims more bytes than there are");
    bytes = bytes.subspan(header.headerBytes, header.bytes);

    FatBinary out;
    // nvcc pads what follows the last entry to a multiple of 8.
    while (bytes.size() >= sizeof(EntryHeader)) {
        const auto entry = load<EntryHeader>(bytes, 0);
        if (entry.headerBytes < sizeof(EntryHeader) || entry.headerBytes > bytes.size() ||
            entry.storedBytes > bytes.size() - entry.headerBytes)
            return broken("an entry claims more bytes than there are");
        out.hasLtoCode |= entry.kind == kKindLto;
        if (entry.kind == kKindPtx || entry.kind == kKindCubin) {
            auto payload = payloadOf(entry, bytes.subspan(entry.headerBytes, entry.storedBytes));
            if (!payload) return std::unexpected(std::move(payload.error()));
            if (entry.kind == kKindPtx)
                out.ptx.push_back({targetOf(entry), *payload});
            else
                out.cubins.push_back({targetOf(entry), *payload});
        }
        bytes = bytes.subspan(entry.headerBytes + entry.storedBytes);
    }
    return out;
}

std::span<const std::byte> fatBinaryOf(const void* wrapper) {
    const std::optional<Wrapper> w = readWrapper(wrapper);
    return w ? bytesAt(w->data) : std::span<const std::byte>{};
}

std::vector<std::span<const std::byte>> unitsOf(const void* wrapper) {
    const std::optional<Wrapper> w = readWrapper(wrapper);
    std::vector<std::span<const std::byte>> units;
    if (!w || w->version != kLinkedVersion || w->units == nullptr) return units;
    for (const void* const* unit = w->units; *unit != nullptr; ++unit)
        units.push_back(bytesAt(*unit));
    return units;
}

const PtxImage* choosePtx(const FatBinary& binary, std::uint32_t computeCapability) {
    return newest(binary.ptx, computeCapability);
}

const CubinImage* chooseCubin(const FatBinary& binary, std::uint32_t computeCapability) {
    return newest(binary.cubins, computeCapability);
}

} // namespace dormer::emulator::fatbin
