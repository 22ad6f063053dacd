// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/stream/codec.h"

#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/describe_session.h"
#include "tests/support/sample_session.h"

#include <chrono>
#include <cmath>

using namespace dormer;
using namespace dormer::session;
using namespace dormer::store;
using namespace dormer::instrument::stream;
using dormer::tests::describe;

namespace {

/// A session whose records went through text.
Session overTheWire(const Session& session) {
    Session result;
    for (const auto& [process, record] : recordsOf(session)) {
        const std::string line = formatRecord(record);
        CHECK(line.find('\n') == std::string::npos);
        const auto parsed = parseRecord(line);
        REQUIRE(parsed);
        REQUIRE(parsed->index() == record.index());
        result.apply(*parsed, process);
    }
    return result;
}

template <typename T>
T parsedAs(std::string_view line) {
    const auto record = parseRecord(line);
    INFO((record ? "" : record.error().message));
    REQUIRE(record);
    REQUIRE(std::holds_alternative<T>(*record));
    return std::get<T>(*record);
}

} // namespace

TEST_CASE("Every kind of record survives the stream") {
    const Session odd = dormer::tests::oddSession();
    CHECK(describe(overTheWire(odd)) == describe(odd));
    const Session sample = dormer::tests::sampleSession();
    CHECK(describe(overTheWire(sample)) == describe(sample));

    const auto progress = parsedAs<Progress>(formatRecord(Progress{"counting", "a/b", 2, 5, 3, 10, 1.5}));
    CHECK(progress.phase == "counting");
    CHECK(progress.workload == "a/b");
    CHECK(progress.pass == 2);
    CHECK(progress.passes == 5);
    CHECK(progress.launchesDone == 3);
    CHECK(progress.launchesExpected == 10);
    CHECK(progress.secondsLeft == 1.5);
}

TEST_CASE("Lines look as docs/stream.md has them") {
    Launch launch;
    launch.id = 3;
    launch.kernel = 1;
    launch.grid = {128, 128, 1};
    launch.block = {32, 8, 1};
    launch.workload = "transpose/tiled";
    launch.durationNs = 47000;
    CHECK(formatRecord(launch) ==
          R"({"record":"launch","id":3,"device":0,"kernel":1,"grid":[128,128,1],"block":[32,8,1],)"
          R"("dynamic_shared_bytes":0,"stream":0,"workload":"transpose/tiled","duration_ns":47000.0})");
    CHECK(
        formatRecord(LaunchCounters{3, {{"dram__bytes_read.sum", 67108864}}, false}) ==
        R"({"record":"launch_counters","launch":3,"complete":false,"values":{"dram__bytes_read.sum":67108864.0}})");
    LineCounts line;
    line.file = "transpose.cu";
    line.line = 61;
    line.pc = 0x110;
    line.instruction = "LDG.E";
    line.space = MemorySpace::Global;
    line.op = MemoryOperation::Load;
    line.widthBytes = 4;
    line.executions = 524288;
    line.sectors = 2097152;
    CHECK(formatRecord(LaunchLines{3, {line}}) ==
          R"({"record":"launch_lines","launch":3,"lines":[{"file":"transpose.cu","line":61,"pc":272,)"
          R"("instruction":"LDG.E","space":"global","op":"load","width_bytes":4,"executions":524288,)"
          R"("sectors":2097152}]})");
    CHECK(formatRecord(ProcessEnd{0, std::nullopt}) == R"({"record":"process_end","exit_code":0})");
    CHECK(formatRecord(ProcessStart{}) ==
          R"({"record":"process_start","schema":1,"origin":"measured","passes":0})");
}

TEST_CASE("Numbers that are none are left out") {
    Launch launch;
    launch.durationNs = std::nan("");
    CHECK(formatRecord(launch).find("duration_ns") == std::string::npos);
    const std::string line =
        formatRecord(LaunchCounters{0, {{"a", std::nan("")}, {"b", -INFINITY}, {"c", 0}}, true});
    CHECK(line == R"({"record":"launch_counters","launch":0,"values":{"c":0.0}})");
    CHECK(parsedAs<LaunchCounters>(R"({"record":"launch_counters","launch":0,"values":{"a":null,"b":1}})")
              .values == std::map<std::string, double>{{"b", 1}});
}

TEST_CASE("Doubles come back to the last bit, and whole numbers are exact") {
    for (const double value : {0.1, 1.0 / 3, 1e300, 5e-324, 123456789.125, 1.755e9}) {
        Launch launch;
        launch.durationNs = value;
        CHECK(parsedAs<Launch>(formatRecord(launch)).durationNs == value);
    }
    Launch launch;
    launch.id = 9'223'372'036'854'775'807;
    launch.startNs = std::numeric_limits<std::int64_t>::min();
    const auto back = parsedAs<Launch>(formatRecord(launch));
    CHECK(back.id == launch.id);
    CHECK(back.startNs == launch.startNs);
    CHECK(parsedAs<Launch>(R"({"record":"launch","id":1,"kernel":2,"duration_ns":5})").durationNs == 5.0);
}

TEST_CASE("Bytes that are not UTF-8 are replaced when written") {
    const std::string line = formatRecord(Note{0, "code",
                                               "a\xff"
                                               "b"});
    CHECK(parsedAs<Note>(line).text == "a\xef\xbf\xbd"
                                       "b");
}

TEST_CASE("Unknown kinds are kept word for word, unknown fields are skipped") {
    const std::string line = R"({ "record" : "temperature", "celsius": [61, 62.50] })";
    CHECK(parsedAs<Unknown>(line).json == line);
    CHECK(formatRecord(Unknown{line}) == line);
    CHECK(parsedAs<Unknown>(R"({"record":""})").json == R"({"record":""})");
    const auto note =
        parsedAs<Note>(R"({"record":"note","code":"c","text":"t","colour":{"r":1},"process":9})");
    CHECK(note.code == "c");
    CHECK(note.process == 0); // told by the reader, not by the line
}

TEST_CASE("Keywords of later versions read as unknown") {
    const auto lines = parsedAs<LaunchLines>(
        R"({"record":"launch_lines","launch":0,"lines":[{"pc":16,"space":"tensor","op":""}]})");
    CHECK(lines.lines.front().space == MemorySpace::Unknown);
    CHECK(lines.lines.front().op == MemoryOperation::None);
    CHECK(formatRecord(lines) ==
          R"({"record":"launch_lines","launch":0,"lines":[{"pc":16,"space":"unknown"}]})");
}

TEST_CASE("Absent fields stay absent") {
    const auto launch = parsedAs<Launch>(R"({"record":"launch","id":1,"kernel":2})");
    CHECK_FALSE(launch.durationNs);
    CHECK_FALSE(launch.blocksPerSm);
    CHECK(launch.grid == Dim3{});
    CHECK_FALSE(parsedAs<ProcessEnd>(R"({"record":"process_end","signal":null})").signal);
    CHECK(parsedAs<LaunchCounters>(R"({"record":"launch_counters","launch":1,"values":{}})").complete);
}

TEST_CASE("Broken lines are refused with the record and the field") {
    const auto [line, why] = GENERATE(table<const char*, const char*>({
        {"", "not JSON"},
        {"{", "not JSON"},
        {"hello from printf", "not JSON"},
        {R"({"record":"note"} x)", "not JSON"},
        {"\xff", "not JSON"},
        {"[1]", "not a JSON object"},
        {"3", "not a JSON object"},
        {R"({"kind":"note"})", "no field 'record'"},
        {R"({"record":3})", "no field 'record'"},
        {R"({"record":"launch","kernel":2})", "record 'launch': field 'id' is missing"},
        {R"({"record":"launch","id":1})", "field 'kernel' is missing"},
        {R"({"record":"launch","id":-1,"kernel":2})", "field 'id' is negative"},
        {R"({"record":"launch","id":1.5,"kernel":2})", "field 'id' is not a whole number"},
        {R"({"record":"launch","id":9223372036854775808,"kernel":2})", "field 'id' is too large"},
        {R"({"record":"launch","id":99999999999999999999,"kernel":2})", "field 'id' is not a whole number"},
        {R"({"record":"launch","id":1,"kernel":2,"device":3000000000})", "field 'device' is too large"},
        {R"({"record":"launch","id":1,"kernel":2,"device":-3000000000})", "field 'device' is too small"},
        {R"({"record":"launch","id":1,"kernel":2,"grid":[1,2]})", "field 'grid' is not an array of three"},
        {R"({"record":"launch","id":1,"kernel":2,"grid":[1,2,-3]})", "field 'grid' is not an array of three"},
        {R"({"record":"launch","id":1,"kernel":2,"workload":7})", "field 'workload' is not a string"},
        {R"({"record":"launch","id":1,"kernel":2,"counted":1})", "field 'counted' is neither true nor false"},
        {R"({"record":"launch","id":1,"kernel":2,"duration_ns":"5"})", "field 'duration_ns' is not a number"},
        {R"({"record":"process_start","origin":"guessed"})", "field 'origin' is not measured"},
        {R"({"record":"process_start","arguments":"x"})", "field 'arguments' is not an array of strings"},
        {R"({"record":"process_start","arguments":[1]})", "field 'arguments' is not an array of strings"},
        {R"({"record":"launch_lines","launch":1,"lines":[{"pc":1,"op":3}]})", "field 'op' is not a string"},
        {R"({"record":"launch_counters","launch":1})", "field 'values' is not an object"},
        {R"({"record":"launch_counters","launch":1,"values":{"a":"1"}})", "counter 'a' is not a number"},
    }));
    CAPTURE(line);
    const auto record = parseRecord(line);
    REQUIRE_FALSE(record);
    CHECK(record.error().kind == ErrorKind::Input);
    CHECK_THAT(record.error().message, Catch::Contains(why));
}

TEST_CASE("Monstrous lines are survived") {
    const auto quick = [](const std::string& line) {
        const auto begin = std::chrono::steady_clock::now();
        static_cast<void>(parseRecord(line));
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < 10;
    };
    CHECK(quick(std::string(4 << 20, '[')));
    std::string nested = R"({"record":"x","a":)";
    for (int i = 0; i < 500'000; ++i)
        nested += "[";
    CHECK(quick(nested + std::string(500'000, ']') + "}"));
    std::string fields = R"({"record":"launch_counters","launch":1,"values":{)";
    for (int i = 0; i < 200'000; ++i)
        fields += "\"c" + std::to_string(i) + "\":1,";
    CHECK(quick(fields + "\"z\":1}}")); // looking up must not be quadratic
}
