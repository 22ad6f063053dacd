// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/fatbin/cubin.h"
#include "instrument/emulator/fatbin/read.h"
#include "tests/instrument/emulator/fatbin/sample_fatbin.h"
#include "tests/support/catch.h"

#include <cstring>

using namespace dormer::emulator::fatbin;

using dormer::tests::twoKernels;

namespace {

// Offsets of the format, of the header and of the first entry behind it.
constexpr std::size_t kHeaderSize = 8, kEntry = 16;
constexpr std::size_t kEntryHeaderBytes = kEntry + 4, kEntryStoredBytes = kEntry + 8,
                      kEntryPackedBytes = kEntry + 16, kEntryFlags = kEntry + 40,
                      kEntryUnpackedBytes = kEntry + 56;

template <typename T>
std::vector<std::byte> with(std::vector<std::byte> bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
    return bytes;
}

std::string readingFails(const std::vector<std::byte>& bytes) {
    const auto result = readFatBinary(bytes);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == dormer::ErrorKind::Input);
    return result.error().message;
}

std::string unpackingFails(const std::vector<std::byte>& bytes) {
    const auto binary = readFatBinary(bytes);
    REQUIRE(binary);
    const auto text = binary->ptx.at(0).text();
    REQUIRE_FALSE(text);
    return text.error().message;
}

} // namespace

TEST_CASE("headers that lie about sizes are errors") {
    const auto good = twoKernels("size");
    CHECK(readingFails({}) == "fat binary: shorter than its header");
    CHECK(readingFails(with(good, 0, std::uint8_t{0})) == "fat binary: the magic number is missing");
    CHECK(readingFails(with(good, kHeaderSize, std::uint64_t(good.size()))) ==
          "fat binary: the header claims more bytes than there are");
    CHECK(readingFails(with(good, kHeaderSize, ~std::uint64_t{0})) ==
          "fat binary: the header claims more bytes than there are");
    const std::string entry = "fat binary: an entry claims more bytes than there are";
    CHECK(readingFails(with(good, kEntryHeaderBytes, std::uint32_t{0})) == entry);
    CHECK(readingFails(with(good, kEntryHeaderBytes, ~std::uint32_t{0})) == entry);
    CHECK(readingFails(with(good, kEntryStoredBytes, ~std::uint64_t{0})) == entry);
    CHECK(readingFails(with(good, kEntryPackedBytes, ~std::uint32_t{0})) ==
          "fat binary: a compressed entry reaches beyond its end");
}

TEST_CASE("compressed entries can't ask for more memory than they can fill") {
    const auto zstd = twoKernels("size"), lz4 = twoKernels("speed");
    CHECK(readingFails(with(zstd, kEntryUnpackedBytes, std::uint64_t{1} << 40)).find("not accepted") !=
          std::string::npos);
    CHECK(unpackingFails(with(lz4, kEntryUnpackedBytes, kMaxUnpackedBytes)).find("can't unpack to") !=
          std::string::npos);
    CHECK(unpackingFails(with(zstd, kEntryUnpackedBytes, std::uint64_t{100})).find("zstd") !=
          std::string::npos);
    CHECK(unpackingFails(with(lz4, kEntryUnpackedBytes, std::uint64_t{100})).find("LZ4") !=
          std::string::npos);
    CHECK(unpackingFails(with(zstd, kEntryUnpackedBytes, std::uint64_t{100'000})).find("not to 100000") !=
          std::string::npos);
    // LZ4's flag on zstd's bytes.
    CHECK(unpackingFails(with(zstd, kEntryFlags, std::uint64_t{0x2011})).find("LZ4") != std::string::npos);
    CHECK(readingFails(with(zstd, kEntryFlags, std::uint64_t{0xA011})) ==
          "fat binary: an entry claims two compressions");
}

TEST_CASE("what is no cubin is an error") {
    const auto bytes = twoKernels("none");
    const auto binary = readFatBinary(bytes);
    REQUIRE(binary);
    const auto elf = binary->cubins.at(0).payload.unpack().value();
    CHECK(readCubin(elf).has_value());
    CHECK_FALSE(readCubin({}).has_value());
    CHECK_FALSE(readCubin(std::span(elf).first(elf.size() / 2)).has_value());
    CHECK_FALSE(readCubin(with(elf, 0, std::uint8_t{0})).has_value());
    // Section headers beyond the end of the file.
    CHECK_FALSE(readCubin(with(elf, 40, std::uint64_t{1} << 40)).has_value());
}
