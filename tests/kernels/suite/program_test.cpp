// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/process.h"
#include "tests/support/catch.h"

#include "kernels/suite/registry.h"

#include <nlohmann/json.hpp>

#include <algorithm>

using dormer::tests::Finished;
using dormer::tests::runWorkloads;

namespace {
/// One line that starts with the program's name, and nothing on stdout.
void checkComplaint(const Finished& finished, int exitCode, const std::string& part) {
    INFO(finished.err);
    CHECK(finished.exitCode == exitCode);
    CHECK(finished.out.empty());
    CHECK(finished.err.starts_with("dormer-workloads: "));
    CHECK(std::ranges::count(finished.err, '\n') == 1);
    CHECK(finished.err.find(part) != std::string::npos);
}
} // namespace

TEST_CASE("Option --describe prints the suite as JSON, also where there is no device") {
    const Finished finished = runWorkloads("--describe", "CUDA_VISIBLE_DEVICES=-1");
    REQUIRE(finished.exitCode == 0);
    CHECK(finished.err.empty());
    const auto suite = nlohmann::json::parse(finished.out);
    REQUIRE(suite.is_array());
    CHECK(suite.size() == dormer::kernels::everything().size());
    for (const auto& entry : suite) {
        CHECK_FALSE(entry.at("family").get<std::string>().empty());
        CHECK_FALSE(entry.at("variant").get<std::string>().empty());
        CHECK_FALSE(entry.at("shows").get<std::string>().empty());
        CHECK(entry.at("parameters").at(0).get<std::string>().starts_with("size="));
    }
    const auto sum =
        std::ranges::find_if(suite, [](const auto& entry) { return entry.at("family") == "vector_sum"; });
    REQUIRE(sum != suite.end());
    CHECK(sum->at("variant") == "coalesced");
    CHECK(sum->at("title") == "Sum of two vectors");
    CHECK(sum->at("parameters").at(0) == "size=16777216");
    CHECK(std::ranges::any_of(suite, [](const auto& entry) { return entry.at("sweep") == "offset"; }));
}

TEST_CASE("Option --help goes to stdout") {
    const Finished finished = runWorkloads("--help");
    CHECK(finished.exitCode == 0);
    CHECK(finished.err.empty());
    for (const char* option :
         {"--size", "--repeat", "--device", "--seed", "--describe", "--digest", "PATTERN"})
        CHECK(finished.out.find(option) != std::string::npos);
}

TEST_CASE("wrong usage is one line and exit code 2") {
    checkComplaint(runWorkloads("transpose/tild"), 2, "did you mean transpose/tiled");
    checkComplaint(runWorkloads("vector_sum/coalesced nonsense-name"), 2, "'nonsense-name'");
    checkComplaint(runWorkloads("--bogus"), 2, "--bogus");
    checkComplaint(runWorkloads("--size"), 2, "--size");
    checkComplaint(runWorkloads("--size 0"), 2, "--size");
    checkComplaint(runWorkloads("--size 1073741825"), 2, "--size");
    checkComplaint(runWorkloads("--size much"), 2, "--size");
    checkComplaint(runWorkloads("--repeat 0"), 2, "--repeat");
    checkComplaint(runWorkloads("--device -1"), 2, "--device");
    checkComplaint(runWorkloads("--seed -5"), 2, "--seed");
}

TEST_CASE("no device is one line and exit code 3") {
    checkComplaint(runWorkloads("vector_sum", "CUDA_VISIBLE_DEVICES=-1"), 3, "no usable CUDA device");
}
