// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/access_pattern.h"

#include "tests/support/catch.h"

#include <array>
#include <bit>
#include <charconv>
#include <fstream>
#include <map>
#include <string>
#include <vector>

using namespace dormer::access;

namespace {

struct Row {
    unsigned width = 0;
    std::uint32_t mask = 0;
    std::array<std::uint64_t, kWarpLanes> addresses{};
    std::array<std::uint32_t, kWarpLanes> offsets{};
    std::map<std::string, unsigned> counts; ///< by column; those not measured are absent
};

std::uint64_t number(const std::string& text, int base = 10) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    REQUIRE(error == std::errc());
    REQUIRE(end == text.data() + text.size());
    return value;
}

std::vector<std::string> fields(const std::string& line) {
    std::vector<std::string> result(1);
    for (const char character : line) {
        if (character == ',')
            result.emplace_back();
        else if (character != '\r')
            result.back() += character;
    }
    return result;
}

std::vector<Row> read(const char* file) {
    std::ifstream stream(std::string(DORMER_SOURCE_DIR "/tests/data/access/") + file);
    std::string line;
    REQUIRE(std::getline(stream, line));
    const std::vector<std::string> names = fields(line);
    std::vector<Row> rows;
    while (std::getline(stream, line)) {
        const std::vector<std::string> values = fields(line);
        REQUIRE(values.size() == names.size());
        Row row;
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i] == "width_bytes")
                row.width = static_cast<unsigned>(number(values[i]));
            else if (names[i] == "mask")
                row.mask = static_cast<std::uint32_t>(number(values[i], 16));
            else if (names[i].starts_with("lane_"))
                row.addresses[number(names[i].substr(5))] = number(values[i]);
            else if (names[i] != "pattern" && !values[i].empty())
                row.counts[names[i]] = static_cast<unsigned>(number(values[i]));
        }
        for (unsigned lane = 0; lane < kWarpLanes; ++lane)
            row.offsets[lane] = static_cast<std::uint32_t>(row.addresses[lane]);
        rows.push_back(row);
    }
    return rows;
}

unsigned lanesOf(const Row& row) {
    return static_cast<unsigned>(std::popcount(row.mask));
}

/// Checks the columns of one kind of access; how many rows have them.
template <typename Wavefronts>
int compareShared(const std::vector<Row>& rows, const std::string& kind, Wavefronts wavefronts) {
    int compared = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        const auto recorded = row.counts.find(kind + "_wavefronts");
        if (recorded == row.counts.end()) continue;
        CAPTURE(kind, i + 2, row.width, row.mask); // i + 2: line of the file
        const unsigned counted = wavefronts(row.offsets.data(), row.mask, row.width);
        REQUIRE(counted == recorded->second);
        REQUIRE(idealWavefronts(lanesOf(row), row.width, counted) == row.counts.at(kind + "_ideal"));
        ++compared;
    }
    return compared;
}

} // namespace

TEST_CASE("Sectors, ideal sectors and lines are those an H100 counted") {
    const std::vector<Row> rows = read("h100_global.csv");
    REQUIRE(rows.size() == 565);
    for (const Row& row : rows) {
        CAPTURE(row.width, row.mask);
        LineAccess lines[kMaxLines];
        const Coalesced result = coalesce(row.addresses.data(), row.mask, row.width, lines);
        REQUIRE(result.sectors == row.counts.at("sectors"));
        REQUIRE(result.lines == row.counts.at("tags"));
        REQUIRE(idealSectors(lanesOf(row), row.width, result.sectors) == row.counts.at("sectors_ideal"));
        // Atomics and reductions counted the same.
        REQUIRE(coalesceAtomic(row.addresses.data(), row.mask, row.width, lines).sectors == result.sectors);
    }
}

TEST_CASE("Wavefronts of shared loads, stores and atomics are those an H100 counted") {
    const std::vector<Row> rows = read("h100_shared.csv");
    REQUIRE(rows.size() == 985);
    CHECK(compareShared(rows, "load", sharedLoadWavefronts) == 985);
    CHECK(compareShared(rows, "store", sharedStoreWavefronts) == 985);
    CHECK(compareShared(rows, "atomic", sharedAtomicWavefronts) == 394);
}
