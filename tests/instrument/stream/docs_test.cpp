// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/session.h"
#include "analysis/store/session_schema.h"
#include "instrument/stream/codec.h"
#include "tests/support/catch.h"

#include <fstream>
#include <sstream>

using namespace dormer::session;

using namespace dormer::store;

namespace {

std::string read(const char* name) {
    std::ifstream file(std::string(DORMER_SOURCE_DIR "/docs/") + name);
    REQUIRE(file);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Names of fields, as the stream spells them.
struct NameLister {
    std::vector<std::string> names;
    void required(const char* name, const auto&) { names.emplace_back(name); }
    void known(const char* name, const auto&) { names.emplace_back(name); }
    void field(const char* name, const auto&) { names.emplace_back(name); }
};

} // namespace

TEST_CASE("docs/stream.md names every field") {
    const std::string page = read("stream.md");
    NameLister lister;
    const auto add = [&](auto value) { visitFields(lister, value); };
    add(Process{});
    add(Device{});
    add(Kernel{});
    add(Launch{});
    add(LineCounts{});
    add(NvtxRange{});
    add(Note{});
    add(Expectation{});
    add(Check{});
    add(Progress{});
    add(MeasuredCeiling{});
    add(Workload{});
    add(Sweep{});
    add(Transfer{});
    add(MemoryCall{});
    add(SourceFile{});
    add(KernelCode{});
    add(SignatureCounter{});
    add(WarpSamples{});
    add(DeviceActivity{});
    const ProcessEnd end;
    visitEnd(lister, end);
    REQUIRE(lister.names.size() > 60);
    for (const std::string& name : lister.names) {
        CAPTURE(name);
        CHECK(page.find('`' + name + '`') != std::string::npos);
    }
}

TEST_CASE("The stream shown in docs/stream.md is one") {
    std::istringstream page(read("stream.md"));
    Session session;
    int records = 0;
    for (std::string line; std::getline(page, line);) {
        if (!line.starts_with("{")) continue;
        const auto record = dormer::instrument::stream::parseRecord(line);
        INFO(line);
        REQUIRE(record);
        CHECK_FALSE(std::holds_alternative<Unknown>(*record));
        CHECK(dormer::instrument::stream::formatRecord(*record) == line);
        session.apply(*record);
        ++records;
    }
    CHECK(records == 9);
    REQUIRE(session.launches().size() == 1);
    CHECK(session.launches()[0].counted);
    CHECK(session.notes().empty());
}

TEST_CASE("docs/session-file.md names every table and column") {
    const std::string page = read("session-file.md");
    using namespace tables;
    for (const TableSpec& table : {processes(), devices(), kernels(), launches(), lines(), ranges(), notes(),
                                   expectations(), checks(), ceilings(), workloads(), sweeps(), transfers(),
                                   memoryCalls(), deviceActivity(), unknownRecords()}) {
        CAPTURE(table.name);
        const std::size_t at = page.find(std::string("| `") + table.name + "` |");
        REQUIRE(at != std::string::npos);
        const std::string row = page.substr(at, page.find('\n', at) - at);
        for (const Column& column : table.columns) {
            CAPTURE(column.name);
            CHECK(row.find('`' + column.name + '`') != std::string::npos);
        }
    }
    CHECK(page.find("| `counters` |") != std::string::npos);
}
