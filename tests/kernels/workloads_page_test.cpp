// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/workloads_page.h"
#include "tests/support/catch.h"

#include "analysis/store/session_file.h"
#include "kernels/suite/registry.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

using namespace dormer;

namespace {

constexpr const char* kPage = DORMER_SOURCE_DIR "/docs/workloads.md";
/// What is above it is written by hand.
constexpr std::string_view kMarker = "<!-- What follows is generated. -->\n";

session::Session recording() {
    auto session = store::loadSession(DORMER_SOURCE_DIR "/samples/h100-suite.dormer");
    INFO((session ? "" : session.error().message));
    REQUIRE(session);
    return std::move(*session);
}

/// Families newer than the recording; a new recording has them, and then they leave this list.
const std::set<std::string> kNotRecorded{"stalls"};

} // namespace

TEST_CASE("docs/workloads.md is what the registry and the recording say") {
    std::ifstream file(kPage);
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    const std::size_t marker = page.find(kMarker);
    REQUIRE(marker != std::string::npos);
    const std::string expected =
        page.substr(0, marker) + std::string(kMarker) + "\n" + tests::workloadsPage(recording());
    if (const char* update = std::getenv("DORMER_UPDATE_DOCS"); update != nullptr && *update == '1')
        std::ofstream(kPage) << expected;
    std::ifstream again(kPage);
    const std::string now{std::istreambuf_iterator<char>(again), {}};
    INFO("run this test with DORMER_UPDATE_DOCS=1 to write docs/workloads.md anew");
    CHECK((now == expected)); // comparing with CHECK would print both pages
}

TEST_CASE("the recording holds every workload of the families recorded, and no check in it failed") {
    const session::Session session = recording();
    std::set<std::string> checked;
    for (const session::Check& check : session.checks()) {
        INFO(check.workload << ": " << check.detail);
        CHECK(check.passed);
        checked.insert(check.workload);
    }
    for (const kernels::Selected& place : kernels::everything()) {
        INFO(kernels::pathOf(place));
        CHECK(checked.contains(kernels::pathOf(place)) !=
              kNotRecorded.contains(kernels::families()[place.family].name));
    }
}
