// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/kernel_rows.h"

#include "tests/support/catch.h"
#include "tests/support/sample_session.h"

using namespace dormer;
using namespace dormer::session;
using view::Cell;
using view::Emphasis;
using view::Grouping;
using view::KernelColumn;
using view::KernelTable;

namespace {

/// One kernel per duration, each launched once.
Session timed(const std::vector<double>& durationsNs) {
    Session session;
    session.apply(ProcessStart{});
    session.apply(Device{});
    for (std::size_t i = 0; i < durationsNs.size(); ++i) {
        Kernel kernel;
        kernel.id = i;
        kernel.name = "k" + std::to_string(i) + "()";
        session.apply(kernel);
        Launch launch;
        launch.id = i;
        launch.kernel = i;
        launch.durationNs = durationsNs[i];
        session.apply(launch);
    }
    return session;
}

std::vector<std::string> texts(const KernelTable& table, KernelColumn column) {
    std::vector<std::string> all;
    for (std::size_t row = 0; row < table.rows(); ++row)
        all.push_back(table.cell(row, column).text);
    return all;
}

std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

} // namespace

TEST_CASE("rows are groups, longest time first, with what they could gain", "[kernel_table]") {
    const Session session = tests::sampleSession();
    const diagnosis::Diagnosis diagnosis(session);
    const view::KernelRows rows = view::kernelRows(diagnosis, 100);
    REQUIRE(rows.rows.size() == rows.groups);
    CHECK(rows.launches == session.launches().size());
    double share = 0;
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
        share += rows.rows[i].share;
        if (i > 0) CHECK(rows.rows[i].totalNs <= rows.rows[i - 1].totalNs);
    }
    CHECK(share == Approx(1));
    const view::KernelRow& first = rows.rows.front(); // two launches: 497 us and one per cent more
    CHECK(first.label == "vector_sum/uncoalesced");
    CHECK(first.totalNs == Approx(497'000 * 2.01));
    CHECK(first.cell(KernelColumn::Sectors).text == "32 / 4 ld");
    CHECK(first.cell(KernelColumn::Sectors).emphasis == Emphasis::Bad);
    CHECK(first.cell(KernelColumn::Sectors).value == 32);
    for (const view::KernelRow& row : rows.rows) {
        const Cell &conflicts = row.cell(KernelColumn::Conflicts), &sectors = row.cell(KernelColumn::Sectors);
        if (row.label == "transpose/tiled") CHECK(conflicts.text == "32-way");
        if (row.label == "transpose/tiled_padded") CHECK(conflicts.text == "none");
        if (row.label == "fill") CHECK(conflicts.text == "–");
        if (row.label == "roofline/scale") CHECK(sectors.emphasis == Emphasis::None); // 8-byte: 8 is ideal
        if (row.gainNs) CHECK(*row.gainNs < row.totalNs);
        CHECK(row.cell(KernelColumn::Savings).value == row.gainNs);
    }
    const view::KernelRows few = view::kernelRows(diagnosis, 3);
    CHECK(few.rows.size() == 3);
    CHECK(few.groups == rows.groups);
    CHECK(few.totalNs == Approx(rows.totalNs));
}

TEST_CASE("a column of times has one unit, that of its longest row", "[kernel_table]") {
    const Session session = tests::sampleSession();
    const diagnosis::Diagnosis diagnosis(session);
    const KernelTable groups(diagnosis), launches(diagnosis, Grouping::AllLaunches);
    CHECK(headText(groups.column(KernelColumn::Time)) == "time, µs"); // 999 us is the longest
    CHECK(headText(groups.column(KernelColumn::Savings)) == "est. savings, µs");
    CHECK(launches.column(KernelColumn::Calls).title == "launch");
    CHECK(launches.rows() == session.launches().size());
    CHECK(launches.cell(2, KernelColumn::Calls).text == "3");
}

TEST_CASE("a column of times without any has no unit", "[kernel_table]") {
    const Session session = timed({0, 0});
    const diagnosis::Diagnosis diagnosis(session);
    for (const Grouping grouping : {Grouping::ByKernel, Grouping::AllLaunches}) {
        const KernelTable table(diagnosis, grouping);
        CHECK(texts(table, KernelColumn::Time) == std::vector<std::string>{"–", "–"});
        CHECK(headText(table.column(KernelColumn::Time)) == "time");
        CHECK(headText(table.column(KernelColumn::Savings)) == "est. savings");
    }
}

TEST_CASE("times are neither cut nor rounded to nothing, however far they are apart", "[kernel_table]") {
    const Session hours = timed({43'518'068'700, 2'000, 61'200});
    const diagnosis::Diagnosis diagnosis(hours);
    const KernelTable table(diagnosis);
    CHECK(headText(table.column(KernelColumn::Time)) == "time, ms");
    CHECK(texts(table, KernelColumn::Time) == std::vector<std::string>{"43518.069", "0.002", "0.061"});
    CHECK(texts(table, KernelColumn::Share) == std::vector<std::string>{"99.9", "< 0.1", "< 0.1"});

    const Session days = timed({4e14, 2'000});
    const diagnosis::Diagnosis longer(days);
    const KernelTable wide(longer);
    CHECK(headText(wide.column(KernelColumn::Time)) == "time, s");
    CHECK(texts(wide, KernelColumn::Time) == std::vector<std::string>{"400000.000", "< 0.001"});
}

TEST_CASE("no cell is wider than its column says", "[kernel_table]") {
    for (const Session& session :
         {tests::sampleSession(), timed({43'518'068'700, 2'000}), timed({4e14, 2'000}), timed({5, 7})}) {
        const diagnosis::Diagnosis diagnosis(session);
        for (const Grouping grouping : {Grouping::ByKernel, Grouping::AllLaunches}) {
            const KernelTable table(diagnosis, grouping);
            for (std::size_t i = raw(KernelColumn::Calls); i < view::kKernelColumns; ++i) {
                const auto column = static_cast<KernelColumn>(i);
                for (const std::string& text : texts(table, column)) {
                    INFO(text);
                    CHECK(characters(text) <= characters(table.column(column).widest));
                }
            }
        }
    }
}

TEST_CASE("a dash says why", "[kernel_table]") {
    const Session session = tests::sampleSession();
    const diagnosis::Diagnosis diagnosis(session);
    const KernelTable table(diagnosis);
    for (std::size_t row = 0; row < table.rows(); ++row)
        for (std::size_t i = 0; i < view::kKernelColumns; ++i) {
            const auto column = static_cast<KernelColumn>(i);
            const Cell cell = table.cell(row, column);
            CHECK((cell.text == "–") == (cell.emphasis == Emphasis::Missing));
            if (!cell.value) CHECK(!cell.tooltip.empty());
        }
}

TEST_CASE("rows stay in place while a session grows, and their numbers follow", "[kernel_table]") {
    Session session = timed({61'200});
    diagnosis::Diagnosis diagnosis(session);
    KernelTable table(diagnosis);
    CHECK(table.cell(0, KernelColumn::Share).text == "100");
    Kernel kernel;
    kernel.id = 7;
    kernel.name = "later()";
    Launch launch;
    launch.id = 7;
    launch.kernel = 7;
    launch.durationNs = 61'200;
    for (const Record& record : {Record(kernel), Record(launch)})
        diagnosis.follow(record, session.apply(record));
    CHECK(table.rows() == 1);
    table.update();
    REQUIRE(table.rows() == 2);
    CHECK(table.cell(1, KernelColumn::Name).text == "later");
    CHECK(table.cell(0, KernelColumn::Share).text == "50");
    CHECK(table.rowOf(LaunchIndex{1}) == 1u);
    CHECK_FALSE(table.rowOf(LaunchIndex{2}));
}

TEST_CASE("groups that share a label are told apart by their configuration", "[kernel_table]") {
    Session session = timed({1'000, 2'000});
    Launch launch;
    launch.id = 9;
    launch.grid = {1056, 1, 1};
    launch.block = {256, 1, 1};
    launch.durationNs = 3'000;
    session.apply(launch); // of kernel 0
    const diagnosis::Diagnosis diagnosis(session);
    const KernelTable table(diagnosis);
    CHECK(texts(table, KernelColumn::Name) ==
          std::vector<std::string>{"k0 (grid 1, block 1)", "k1", "k0 (grid 1056, block 256)"});
}

TEST_CASE("instantiations of one template with one configuration are told apart", "[kernel_table]") {
    Session session = timed({1'000});
    std::uint64_t id = 10;
    for (const char* name :
         {"void testKernel<int2>(int2*, int2*, int)", "void testKernel<uchar4>(uchar4*, uchar4*, int)",
          "void scale(float*, int)", "void scale(double*, int)"}) {
        Kernel kernel;
        kernel.id = id;
        kernel.name = name;
        session.apply(kernel);
        Launch launch;
        launch.id = launch.kernel = id++;
        launch.grid = {64, 1, 1};
        launch.block = {256, 1, 1};
        session.apply(launch);
    }
    const diagnosis::Diagnosis diagnosis(session);
    CHECK(texts(KernelTable(diagnosis), KernelColumn::Name) ==
          std::vector<std::string>{"k0", "testKernel<int2>", "testKernel<uchar4>", "scale(float*, …)",
                                   "scale(double*, …)"});
}

TEST_CASE("columns that don't fit go in order of what they tell", "[kernel_table]") {
    const std::array<int, view::kKernelColumns> widths{10, 20, 5, 8, 5, 9, 6, 11, 9, 8, 9}; // 100 in all
    const auto shown = [&](int available) {
        std::string titles;
        const auto fits = view::kernelColumnsWithin(widths, available);
        for (std::size_t i = 0; i < view::kKernelColumns; ++i)
            if (fits[i]) titles += view::kernelColumn(static_cast<KernelColumn>(i)).title + "|";
        return titles;
    };
    CHECK(shown(100) ==
          "verdict|kernel|calls|time|share|DRAM|L2 hit|sectors/req|conflicts|achieved occ.|est. savings|");
    CHECK(shown(99) ==
          "verdict|kernel|calls|time|DRAM|L2 hit|sectors/req|conflicts|achieved occ.|est. savings|");
    CHECK(shown(67) == "verdict|kernel|time|DRAM|sectors/req|est. savings|");
    CHECK(shown(1) == "verdict|kernel|time|est. savings|"); // as little as makes sense
}
