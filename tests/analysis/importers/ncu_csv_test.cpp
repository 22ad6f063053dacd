// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/metric.h"
#include "analysis/verdict/verdict.h"
#include "tests/analysis/importers/imported.h"

using namespace dormer;
using namespace dormer::tests;

namespace {

const std::string kIdentity =
    R"("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC")";

std::string row(int id, int pid, const std::string& more) {
    return "\"" + std::to_string(id) + "\",\"" + std::to_string(pid) +
           R"~(","app","127.0.0.1","scale(float *, int)","1","7","(256, 1, 1)","(65536, 1, 1)","0","9.0",)~" +
           more + "\n";
}

std::string page(const std::string& columns, const std::string& units, const std::string& values) {
    return kIdentity + "," + columns + "\n\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\"," + units +
           "\n" + row(0, 669, values);
}

const std::string kColumns = R"("gpu__time_duration.sum","sm__throughput.avg.pct_of_peak_sustained_elapsed")";

void checkSimple(const session::Session& session) {
    REQUIRE(session.launches().size() == 1);
    const session::Launch& launch = session.launch(kFirst);
    CHECK(launch.durationNs == 12500);
    CHECK(session.counter(kFirst, "sm__throughput.avg.pct_of_peak_sustained_elapsed") == 73.25);
    CHECK(launch.grid == session::Dim3{65536, 1, 1});
    CHECK(launch.block == session::Dim3{256, 1, 1});
    CHECK(session.originOf(kFirst) == session::Origin::Imported);
    CHECK(session.kernelOf(kFirst).name == "scale(float *, int)");
    CHECK(session.processes().front().pid == 669);
}

std::string asUtf16(const std::string& ascii) {
    std::string text = "\xFF\xFE";
    for (const char c : ascii) {
        text += c;
        text += '\0';
    }
    return text;
}

} // namespace

TEST_CASE("the units row of a raw page scales its columns and is no launch", "[importers]") {
    checkSimple(imported(page(kColumns, R"("usecond","%")", R"("12.50","73.25")")));
    CHECK(imported(page(kColumns, R"("msecond","%")", R"("2.00","1.5")")).launch(kFirst).durationNs == 2e6);
    const session::Session bytes = imported(
        page(R"("dram__bytes_read.sum","dram__bytes_write.sum")", R"("Mbyte","Kbyte")", R"("3.35","32.77")"));
    CHECK(bytes.counter(kFirst, "dram__bytes_read.sum") == 3350000);
    CHECK(bytes.counter(kFirst, "dram__bytes_write.sum") == 32770);
}

TEST_CASE("a page is the same in every locale, encoding and delimiter", "[importers]") {
    const std::string english = page(kColumns, R"("ns","%")", R"("12,500","73.25")");
    checkSimple(imported(english));
    checkSimple(imported(page(kColumns, R"("ns","%")", R"("12.500","73,25")")));
    checkSimple(imported(page(kColumns, R"("ns","%")",
                              "\"12\xC2\xA0"
                              "500\",\"73,25\"")));
    checkSimple(imported(page(kColumns, R"("us","%")", R"("12,5","73,25")")));
    checkSimple(imported(asUtf16(english)));
    checkSimple(imported("\xEF\xBB\xBF" + english));
    std::string crlf = english;
    for (std::size_t at = 0; (at = crlf.find('\n', at)) != std::string::npos; at += 2)
        crlf.insert(at, "\r");
    checkSimple(imported(crlf));
    std::string semicolons;
    bool quoted = false;
    for (const char c : page(kColumns, R"("ns","%")", R"("12.500","73,25")")) {
        quoted = quoted != (c == '"');
        semicolons += c == ',' && !quoted ? ';' : c;
    }
    checkSimple(imported(semicolons));
}

TEST_CASE("lines of the program and of ncu around and between the rows are left out", "[importers]") {
    const std::string text = "==WARNING== Note: Running with unmodified GPU clocks.\n"
                             "loss, 0.5, \"step\n"
                             "==PROF== Connected to process 669 (/tmp/app)\n" +
                             page(kColumns, R"("usecond","%")", R"("12.50","73.25")") +
                             "done, 3 errors\n==PROF== Disconnected from process 669\n"
                             "==PROF== Target process 3323 terminated before first instrumented API call.\n";
    checkSimple(imported(text));
}

TEST_CASE("launches of two processes stay apart though both begin with 0", "[importers]") {
    const session::Session session =
        imported(page(kColumns, R"("usecond","%")", R"("12.50","73.25")") + row(0, 670, R"("1.00","50.00")"));
    CHECK(session.launches().size() == 2);
    REQUIRE(session.processes().size() == 2);
    CHECK(session.processes()[1].pid == 670);
}

TEST_CASE("NVTX ranges keep colons in their names", "[importers]") {
    const std::string head =
        kIdentity + R"(,"thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg",)" +
        R"("Id:Domain:Start/Stop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg","gpu__time_duration.sum")"
        "\n";
    const std::string cells =
        R"("1  ""<default domain>:fwd:none:none:none:none:none:none""  ""<default domain>:mod:layers.0.attn:none:none:none:none:none:none"" ","","12500")";
    const session::Session session = imported(head +
                                              R"("","","","","","","","","","","","","","ns")"
                                              "\n" +
                                              row(0, 1, cells));
    CHECK(session.launch(kFirst).nvtx == "fwd > mod:layers.0.attn");
    CHECK(session.launch(kFirst).durationNs == 12500);
}

TEST_CASE("a last row that was cut off is dropped with a note", "[importers]") {
    const session::Session session =
        imported(page(kColumns, R"("usecond","%")", R"("12.50","73.25")") + "\"1\",\"669\",\"app\",\"127.0");
    checkSimple(session);
    CHECK(hasNote(session, "import-truncated"));
}

TEST_CASE("files without kernels say why in one line", "[importers]") {
    const auto error = [](const std::string& bytes) {
        const auto session = importBytes(bytes);
        REQUIRE_FALSE(session);
        CHECK(session.error().kind == ErrorKind::Input);
        CHECK(session.error().message.find('\n') == std::string::npos);
        return session.error().message;
    };
    const auto holds = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    CHECK(holds(error("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n" + kIdentity + "\n"),
                "ERR_NVGPUCTRPERM"));
    CHECK(holds(error("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"), "git lfs pull"));
    CHECK(holds(error(""), "empty"));
    CHECK(holds(error("name,value\nx,1\n"), "nothing that can be imported"));
    CHECK(holds(error("\x1F\x8B\x08"), "gunzip"));
    CHECK(holds(error("{\"traceEvents\": ["), "JSON"));
    CHECK(holds(error("[1, 2]"), "nothing that can be imported"));
    CHECK(holds(error("{}"), "traceEvents"));
    CHECK(holds(error(std::string("NVR\0\xFF\xFF\xFF\xFF", 8)), "cut off"));
    CHECK(holds(error(std::string("SQLite format 3\0garbage", 23)), "database"));
    CHECK(importBytes("x", "a\xFF"
                           "b")
              .error()
              .message.find('\n') == std::string::npos);
    CHECK(importers::importFile("/nonexistent/x.csv").error().kind == ErrorKind::Input);
    CHECK(importers::importFile("/tmp").error().kind == ErrorKind::Input);
}

TEST_CASE("a details page gives the launches that its rows repeat", "[importers]") {
    const std::string head =
        kIdentity +
        R"(,"Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Type","Rule Description")"
        "\n";
    const auto metric = [](int id, const std::string& name, const std::string& unit,
                           const std::string& value) {
        return row(id, 669, "\"Section\",\"" + name + "\",\"" + unit + "\",\"" + value + "\",\"\",\"\",\"\"");
    };
    const std::string text =
        head + metric(0, "Duration", "us", "84.48") + metric(0, "SM Frequency", "Ghz", "1.46") +
        metric(0, "Memory Throughput", "%", "88.20") + metric(0, "DRAM Throughput", "%", "88.20") +
        metric(0, "Registers Per Thread", "register/thread", "16") +
        metric(0, "Block Limit Warps", "block", "6") + metric(0, "Block Limit Registers", "block", "16") +
        metric(0, "Dynamic Shared Memory Per Block", "Kbyte/block", "1.02") + metric(0, "# SMs", "SM", "46") +
        row(0, 669, R"("Occupancy","","","","Occupancy","OPT","The difference, ""theoretical"""
 "and achieved")") +
        metric(1, "Duration", "ms", "1.5");
    const session::Session session = imported(text);
    CHECK_FALSE(hasNote(session, "import-truncated", ""));
    REQUIRE(session.launches().size() == 2);
    const session::Launch& launch = session.launch(kFirst);
    CHECK(launch.durationNs == 84480);
    CHECK(launch.blocksPerSm == 6U);
    CHECK(launch.dynamicSharedBytes == 1020);
    CHECK(session.kernelOf(kFirst).registersPerThread == 16);
    CHECK(session.deviceOf(kFirst)->smCount == 46);
    CHECK(session.launch(session::LaunchIndex{1}).durationNs == 1.5e6);
    const metrics::MetricEvaluator metrics(session);
    CHECK(metrics.value(kFirst, "sm_clock_hz") == 1.46e9);
    // Its share of the peak says what bounds it; what was moved is not known.
    const verdict::Verdict verdict = verdict::judge(metrics, kFirst);
    CHECK(verdict.bound == verdict::Bound::Memory);
    CHECK(verdict.resource == device::Resource::Dram);
    CHECK_FALSE(verdict.intensity);
    CHECK(hasNote(session, "not-concluded", "arithmetic intensity of 2 of 2"));
    // One without shares of a peak is not judged.
    CHECK(verdict::judge(metrics, session::LaunchIndex{1}).bound == verdict::Bound::Unknown);
}

TEST_CASE("a details page whose rows of metrics end before the columns of rules is whole", "[importers]") {
    const std::string head =
        kIdentity +
        R"(,"Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Type","Rule Description")"
        "\n";
    const std::string duration = row(0, 669, R"("Section","Duration","us","84.48",)");
    const session::Session session = imported(head + duration);
    CHECK(session.launch(kFirst).durationNs == 84480);
    CHECK_FALSE(hasNote(session, "import-truncated", ""));
    CHECK(hasNote(imported(head + duration + row(0, 669, R"("Section","SM Frequency","Ghz")")),
                  "import-truncated", "1 rows"));
}

TEST_CASE("counts that Nsight Compute gives in another form are worked out", "[importers]") {
    // 936.2974168268676 FFMA per cycle over 13998.970588235294 cycles: 3200 x 64 x 64 of a matrix product.
    const session::Session session = imported(page(
        R"("gpu__time_duration.sum","smsp__cycles_elapsed.avg","smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed",)"
        R"("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed","dram__bytes_read.sum.per_second",)"
        R"("dram__sectors_write.sum","memory_l1_wavefronts_shared","memory_l1_wavefronts_shared_ideal",)"
        R"("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum","l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",)"
        R"("lts__t_sector_hit_rate.pct","SM_B.TriageCompute.l1tex__t_sectors.sum","thread_inst_executed","sm__cycles_elapsed.min")",
        R"("us","cycle","inst/cycle","inst/cycle","Gbyte/s","sector","","","","","%","sector","inst","cycle")",
        R"("10.00","13998.970588235294","936.2974168268676","0","100.000000","1,000","141,200","134,800","100,000","52,084","33.94","513","23424000","1.0")"));
    CHECK(session.counter(kFirst, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum") == 13107200);
    CHECK(session.counter(kFirst, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum") == 0);
    CHECK(session.counter(kFirst, "dram__bytes_read.sum") == 1e6);
    CHECK(session.counter(kFirst, "dram__bytes_write.sum") == 32000);
    CHECK(session.counter(kFirst, "l1tex__t_bytes.sum") == 513 * 32);
    CHECK(session.counter(kFirst, "smsp__thread_inst_executed.sum") == 23424000);
    CHECK_FALSE(session.counter(kFirst, "sm__cycles_elapsed.min"));
    const metrics::MetricEvaluator metrics(session);
    CHECK(metrics.value(kFirst, "shared_wavefronts") == 141200);
    CHECK(metrics.value(kFirst, "shared_wavefronts_excess") == 6400);
    CHECK(metrics.value(kFirst, "l2_hit_rate").value_or(0) == Approx(0.3394));
}
