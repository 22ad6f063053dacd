// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/ceilings/measured_roofs.h"
#include "instrument/ceilings/roof_cache.h"

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <fstream>

using namespace dormer;
using namespace dormer::instrument::ceilings;

namespace {

/// What dormer-ceilings prints: a rate with a clock, one without, and one that failed.
constexpr const char* kLines =
    R"({"resource":"fp32","method":"chains","per_second":6.5e13,"spread":0.002,"clock_hz":1.98e9})"
    "\n"
    R"({"resource":"dram","method":"write","per_second":4.6e12,"spread":0.008,"clock_hz":3.2e9})"
    "\n"
    R"({"resource":"launches","method":"500 in a row","per_second":4e5,"spread":0.1,"of_host":true})"
    "\n"
    R"({"resource":"l2","method":"loads","problem":"wrong result: 4 MiB"})"
    "\n";

/// XDG_CACHE_HOME for as long as it lives.
class CacheHome {
public:
    explicit CacheHome(const std::string& path) { setenv("XDG_CACHE_HOME", path.c_str(), 1); }
    ~CacheHome() { unsetenv("XDG_CACHE_HOME"); }
    CacheHome(const CacheHome&) = delete;
    CacheHome& operator=(const CacheHome&) = delete;
};

session::Device deviceOf(const std::string& uuid, const std::string& driver) {
    session::Device device;
    device.name = "NVIDIA H200";
    device.uuid = uuid;
    device.driverVersion = driver;
    return device;
}

MeasuredRoofs sample() {
    const auto measured = parseMeasurements(kLines);
    REQUIRE(measured);
    return {.deviceName = "NVIDIA H200",
            .uuid = "GPU-1",
            .driverVersion = "580.1",
            .measuredAtNs = 1'700'000'000'000'000'000,
            .roofs = *measured};
}

} // namespace

TEST_CASE("Measured roofs survive the cache's file", "[ceilings]") {
    const auto read = parseRoofs(formatRoofs(sample()));
    REQUIRE(read);
    CHECK(read->uuid == "GPU-1");
    CHECK(read->driverVersion == "580.1");
    CHECK(read->measuredAtNs == 1'700'000'000'000'000'000);
    REQUIRE(read->roofs.size() == 4);
    REQUIRE(read->find("fp32") != nullptr);
    CHECK(read->find("fp32")->perSecond == 6.5e13);
    CHECK(read->find("fp32")->clockHz == 1.98e9);
    CHECK(read->find("fp32")->spread == 0.002);
    CHECK_FALSE(read->find("launches")->clockHz);
    CHECK(read->find("launches")->ofHost);
    CHECK_FALSE(read->find("fp32")->ofHost);
    CHECK_FALSE(read->find("l2")->perSecond);
    CHECK(read->find("l2")->problem == "wrong result: 4 MiB");
    CHECK(read->find("fp64") == nullptr);
}

TEST_CASE("A session gets a ceiling per figure, and the SM clock of those that hang on it", "[ceilings]") {
    const std::vector<session::MeasuredCeiling> records = recordsOf(sample(), 3);
    std::vector<std::pair<std::string, double>> found;
    for (const session::MeasuredCeiling& record : records) {
        CHECK(record.device == 3);
        CHECK_FALSE(record.method.empty());
        CHECK((record.method.find("limited by the host") != std::string::npos) ==
              (record.resource == "launches"));
        found.emplace_back(record.resource, record.perSecond);
    }
    // Nothing of what failed; DRAM's clock is not the SMs'.
    CHECK(found == std::vector<std::pair<std::string, double>>{
                       {"fp32", 6.5e13}, {"fp32_clock", 1.98e9}, {"dram", 4.6e12}, {"launches", 4e5}});
}

TEST_CASE("What is no measurement is refused", "[ceilings]") {
    CHECK_FALSE(parseMeasurements("no JSON\n"));
    CHECK_FALSE(parseMeasurements("[1, 2]\n"));
    CHECK_FALSE(parseMeasurements(R"({"resource":"fp32"})"));
    for (const char* rate : {"-1", "0", "1e999", "null", "\"fast\""})
        CHECK_FALSE(parseMeasurements(R"({"resource":"fp32","per_second":)" + std::string(rate) + "}"));
    CHECK(parseMeasurements("")->empty());
    for (const char* text : {"", "{}", "[]", R"({"schema":99})", R"({"schema":1,"device":7})"})
        CHECK_FALSE(parseRoofs(text));
}

TEST_CASE("Roofs are cached for a device and its driver", "[ceilings]") {
    const tests::TemporaryFolder folder;
    const CacheHome home(folder.path().string());
    const session::Device device = deviceOf("GPU-1", "580.1");
    CHECK_FALSE(cachedRoofs(device));
    REQUIRE(cacheRoofs(device, sample()));
    const auto cached = cachedRoofs(device);
    REQUIRE(cached);
    CHECK(cached->roofs.size() == 4);
    CHECK_FALSE(cachedRoofs(deviceOf("GPU-1", "590.2"))); // another driver, other roofs
    CHECK_FALSE(cachedRoofs(deviceOf("GPU-2", "580.1")));
    CHECK_FALSE(cachedRoofs(deviceOf("", "580.1"))); // emulated ones have no id
    CHECK(cacheFile(deviceOf("", "580.1")).empty());

    // An id is no path.
    CHECK(cacheFile(deviceOf("../../x/y", "1")).parent_path() == cacheFile(device).parent_path());
    std::ofstream(cacheFile(device)) << "broken";
    CHECK_FALSE(cachedRoofs(device));
    REQUIRE(cacheRoofs(device, sample()));
    CHECK(cachedRoofs(device));
}
