// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/installation.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <fstream>

using namespace dormer::instrument::launch;
namespace fs = std::filesystem;

namespace {

std::vector<WorkloadInfo> suite() {
    return {{"roofline", "scale", "", {}},
            {"roofline", "vector_add_fp32", "", {}},
            {"transpose", "tiled", "", {}},
            {"transpose", "tiled_padded", "", {}},
            {"histogram", "shared", "", {}}};
}

std::vector<std::string> pathsOf(const std::vector<WorkloadInfo>& workloads) {
    std::vector<std::string> paths;
    for (const WorkloadInfo& workload : workloads)
        paths.push_back(workload.path());
    return paths;
}

fs::path script(const std::string& body) {
    const fs::path path = fs::temp_directory_path() / ("dormer_script_" + std::to_string(getpid()));
    std::ofstream{path} << "#!/bin/sh\n" << body << "\n";
    fs::permissions(path, fs::perms::owner_all);
    return path;
}

} // namespace

TEST_CASE("the suite is listed as the workloads describe it", "[workloads]") {
    Installation installation;
    installation.workloads = DORMER_FAKE_HOME "/bin/dormer-workloads";
    const auto workloads = listWorkloads(installation);
    REQUIRE(workloads);
    REQUIRE(workloads->size() == 3);
    CHECK(workloads->front().path() == "roofline/scale");
    CHECK(workloads->front().shows == "y = 3x");
    CHECK(workloads->front().parameters == std::vector<std::string>{"size=16777216"});
    CHECK(workloads->front().title == "Walk along the roof");
    CHECK(workloads->front().familyShows == "from memory to compute");
    CHECK(workloads->front().sweep == "polynomial");
    CHECK(workloads->front().wrongByDesign);
}

TEST_CASE("what an older suite does not say is empty", "[workloads]") {
    Installation installation;
    installation.workloads = DORMER_FAKE_HOME "/bin/dormer-workloads";
    const auto workloads = listWorkloads(installation);
    REQUIRE(workloads);
    const WorkloadInfo& last = workloads->back();
    CHECK(last.path() == "transpose/tiled_padded");
    CHECK(last.title.empty());
    CHECK(last.familyShows.empty());
    CHECK(last.sweep.empty());
    CHECK_FALSE(last.wrongByDesign);
}

TEST_CASE("a suite that is missing or broken is an error", "[workloads]") {
    CHECK(listWorkloads({}).error().kind == dormer::ErrorKind::Device);
    Installation installation;
    for (const char* body : {"exit 3", "echo '[{\"family\":1}]'", "echo nonsense", "kill -SEGV $$"}) {
        installation.workloads = script(body);
        const auto workloads = listWorkloads(installation);
        REQUIRE_FALSE(workloads);
        CHECK(workloads.error().kind == dormer::ErrorKind::Target);
    }
    fs::remove(installation.workloads);
}

TEST_CASE("patterns choose workloads in the suite's order, each once", "[workloads]") {
    using Paths = std::vector<std::string>;
    CHECK(pathsOf(*selectWorkloads(suite(), {})).size() == 5);
    CHECK(pathsOf(*selectWorkloads(suite(), {"transpose/*"})) ==
          Paths{"transpose/tiled", "transpose/tiled_padded"});
    CHECK(pathsOf(*selectWorkloads(suite(), {"transpose/tiled", "*/tiled", "histogram"})) ==
          Paths{"transpose/tiled", "histogram/shared"});
    CHECK(pathsOf(*selectWorkloads(suite(), {"*vector*"})) == Paths{"roofline/vector_add_fp32"});
}

TEST_CASE("a pattern that matches nothing is named and near paths suggested", "[workloads]") {
    const auto near = selectWorkloads(suite(), {"transpose/*", "transpose/tield"});
    REQUIRE_FALSE(near);
    CHECK(near.error().kind == dormer::ErrorKind::Usage);
    CHECK(near.error().message.find("'transpose/tield'") != std::string::npos);
    CHECK(near.error().message.find("did you mean transpose/tiled") != std::string::npos);
    const auto variant = selectWorkloads(suite(), {"sahred"});
    REQUIRE_FALSE(variant);
    CHECK(variant.error().message.find("histogram/shared") != std::string::npos);
    const auto far = selectWorkloads(suite(), {"zzzzzzzz"});
    REQUIRE_FALSE(far);
    CHECK(far.error().message.find("dormer list") != std::string::npos);
}

TEST_CASE("DORMER_HOME comes before the program's own folder", "[workloads]") {
    setenv("DORMER_HOME", DORMER_FAKE_HOME, 1);
    const Installation fakes = findInstallation();
    unsetenv("DORMER_HOME");
    CHECK(fakes.workloads == fs::path{DORMER_FAKE_HOME "/bin/dormer-workloads"});
    CHECK(fakes.probe == fs::path{DORMER_FAKE_HOME "/bin/dormer-probe"});
    CHECK(findInstallation().probe == fs::path{DORMER_BIN_DIR "/dormer-probe"}); // beside this test
}

TEST_CASE("Parts are found beside the programs and in an installation's folder for them", "[workloads]") {
    const dormer::tests::TemporaryFolder folder;
    const fs::path parts = folder.path() / "lib/dormer";
    fs::create_directories(folder.path() / "bin");
    fs::create_directories(parts / "emulator");
    for (const fs::path& file : {parts / "emulator/libcudart.so.13", parts / "libdormer-inject.so"})
        std::ofstream(file) << "library";
    setenv("DORMER_HOME", folder.path().c_str(), 1);
    const Installation found = findInstallation();
    unsetenv("DORMER_HOME");
    CHECK(found.collector == parts / "libdormer-inject.so");
    CHECK(found.emulator == parts / "emulator/libcudart.so.13");
}
