// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/names/name_filter.h"

#include "tests/support/catch.h"

using namespace dormer;
using dormer::session::NameFilter;

namespace {

const std::string kKernel = "void cub::DeviceReduceKernel<float, cub::Sum>(float const*, float*, int)";

bool matches(const std::string& pattern, const std::string& workload = "device_wide/reduce") {
    return NameFilter::compile(pattern, "--kernel").value().matches(workload, kKernel);
}

} // namespace

TEST_CASE("a filter is found in the workload, the short name or the full name", "[session]") {
    CHECK(matches("^device_wide/reduce$"));
    CHECK(matches("^cub::DeviceReduceKernel$"));
    CHECK(matches("cub::Sum"));
    CHECK(matches("transpose|reduce"));
    CHECK_FALSE(matches("reduce", "other/one"));
    CHECK(matches("(?i)devicereduce"));
    CHECK(matches("")); // all
}

TEST_CASE("an invalid regular expression is wrong usage that names its option", "[session]") {
    const auto bad = NameFilter::compile("(", "--kernels");
    REQUIRE_FALSE(bad);
    CHECK(bad.error().kind == ErrorKind::Usage);
    CHECK(bad.error().message == "--kernels '(': invalid regular expression: missing ): (");
    CHECK_FALSE(NameFilter::compile("a(?=b)", "--kernel")); // linear time has no room for it
}

TEST_CASE("what is typed matches whatever the case, and literally until it is an expression", "[session]") {
    CHECK(NameFilter::typed("DEVICEreduce").matches("", kKernel));
    CHECK(NameFilter::typed("reduce.*sum").matches("", kKernel));
    CHECK(NameFilter::typed("(float const").matches("", kKernel));
    CHECK_FALSE(NameFilter::typed("(double").matches("", kKernel));
}

TEST_CASE("names of any length cost neither stack nor patience", "[session]") {
    const std::string huge = std::string(512 * 1024, 'x') + "end";
    CHECK(NameFilter::compile("^(x+x+)+", "--kernel").value().matches("", huge));
    CHECK_FALSE(NameFilter::compile("(x+x+)+y", "--kernel").value().matches("", huge));
}
