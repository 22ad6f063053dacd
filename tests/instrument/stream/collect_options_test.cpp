// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/stream/collect_options.h"

#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::instrument::stream;

TEST_CASE("Options survive the environment variable") {
    CollectOptions options;
    options.counterSet = "live";
    options.kernels = "a|\"b\\d+\"";
    options.nvtx = "step*";
    options.launches = 3;
    options.replay = Replay::None;
    options.budgetSeconds = 2.5;
    options.flushCaches = false;
    options.lines = true;
    options.sources = false;
    options.device = 2;
    options.everyLaunch = true;
    options.chip = "A100";
    options.timeLimitSeconds = 0.5;
    const std::string json = toJson(options);
    CHECK(json.find('\n') == std::string::npos);
    const auto back = collectOptionsFromJson(json);
    REQUIRE(back);
    CHECK(back->counterSet == options.counterSet);
    CHECK(back->kernels == options.kernels);
    CHECK(back->nvtx == options.nvtx);
    CHECK(back->launches == options.launches);
    CHECK(back->replay == options.replay);
    CHECK(back->budgetSeconds == options.budgetSeconds);
    CHECK_FALSE(back->flushCaches);
    CHECK(back->lines);
    CHECK_FALSE(back->sources);
    CHECK(back->device == 2);
    CHECK(back->everyLaunch);
    CHECK(back->chip == "A100");
    CHECK(back->timeLimitSeconds == 0.5);
}

TEST_CASE("Defaults are what is left out") {
    for (const std::string& json :
         {std::string("{}"), toJson(CollectOptions{}), std::string(R"({"later":[1]})")}) {
        const auto options = collectOptionsFromJson(json);
        REQUIRE(options);
        CHECK(options->counterSet == "memory");
        CHECK(options->kernels.empty());
        CHECK_FALSE(options->launches);
        CHECK(options->flushCaches);
        CHECK_FALSE(options->lines);
        CHECK(options->sources);
        CHECK(options->device == 0);
    }
    CHECK(collectOptionsFromJson(R"({"set":"none"})")->counterSet == "none");
}

TEST_CASE("Malformed options name what is wrong with them") {
    const auto [json, why] = GENERATE(table<const char*, const char*>({
        {"", "DORMER_OPTIONS does not hold a JSON object"},
        {"[]", "DORMER_OPTIONS does not hold a JSON object"},
        {R"({"set":"everything"})", "unknown counter set 'everything' (available: none, live"},
        {R"({"set":1})", "field 'set' is not a string"},
        {R"({"launches":-1})", "field 'launches' is negative"},
        {R"({"flush_caches":"no"})", "field 'flush_caches' is neither true nor false"},
        {R"({"device":1e3})", "field 'device' is not a whole number"},
    }));
    CAPTURE(json);
    const auto options = collectOptionsFromJson(json);
    REQUIRE_FALSE(options);
    CHECK(options.error().kind == ErrorKind::Usage);
    CHECK_THAT(options.error().message, Catch::Contains(why));
}
