// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"

#include "kernels/suite/selection.h"

using namespace dormer;

namespace {
std::vector<std::string> paths(const std::vector<std::string>& patterns) {
    const auto selected = kernels::select(patterns);
    REQUIRE(selected);
    std::vector<std::string> names;
    for (const kernels::Selected& place : *selected)
        names.push_back(kernels::pathOf(place));
    return names;
}
std::string complaint(const std::string& pattern) {
    const auto selected = kernels::select({pattern});
    REQUIRE_FALSE(selected);
    CHECK(selected.error().kind == ErrorKind::Usage);
    return selected.error().message;
}
} // namespace

TEST_CASE("no pattern selects everything") {
    CHECK(paths({}).size() == kernels::everything().size());
}

TEST_CASE("patterns are paths, families or globs, and the order is the registry's") {
    CHECK(paths({"transpose/tiled"}) == std::vector<std::string>{"transpose/tiled"});
    CHECK(paths({"transpose/tiled_p*d", "vector_sum"}) == std::vector<std::string>{"vector_sum/coalesced",
                                                                                   "vector_sum/uncoalesced",
                                                                                   "transpose/tiled_padded"});
    CHECK(paths({"device_wide/scan", "*/vector_add*"}) ==
          std::vector<std::string>{"roofline/vector_add", "roofline/vector_add_fp64", "device_wide/scan"});
}

TEST_CASE("a name that does not exist is answered with near ones") {
    CHECK(complaint("vector_sum/coalesed") == "no workload matches 'vector_sum/coalesed'; did you mean "
                                              "vector_sum/coalesced, vector_sum/uncoalesced?");
    CHECK(complaint("transpos").starts_with("no workload matches 'transpos'; did you mean transpose, "));
    CHECK(complaint("tiled_paded").find("did you mean transpose/tiled_padded") != std::string::npos);
    CHECK(complaint("qqqqqqqqqqqq") == "no workload matches 'qqqqqqqqqqqq'; --describe lists them all");
}
