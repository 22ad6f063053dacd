// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"

#include "kernels/suite/measure.h"
#include "kernels/suite/outcome.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace dormer;

namespace {

/// Points this process at the fake collector before anything asks for one.
class FakeCollector {
public:
    FakeCollector() {
        setenv("DORMER_COLLECTOR", DORMER_FAKE_COLLECTOR, 1);
        setenv("FAKE_COLLECTOR_LOG", m_log.c_str(), 1);
    }
    ~FakeCollector() { std::filesystem::remove(m_log); }
    [[nodiscard]] std::vector<std::string> lines() const {
        std::vector<std::string> read;
        std::ifstream file(m_log);
        for (std::string line; std::getline(file, line);)
            read.push_back(line);
        return read;
    }
    void clear() const { std::filesystem::remove(m_log); }

private:
    std::filesystem::path m_log =
        std::filesystem::temp_directory_path() / ("fake-collector-" + std::to_string(getpid()) + ".log");
};

class Recorder final : public kernels::Instance {
public:
    explicit Recorder(std::string& launches) : m_launches(launches) {}
    void launch(std::size_t variant) override { m_launches += static_cast<char>('a' + variant); }
    kernels::CheckResult check(std::size_t) override { return {true, ""}; }

private:
    std::string& m_launches;
};

} // namespace

TEST_CASE("every pass launches the same bodies in turn, each in its own range") {
    const FakeCollector fake;
    std::string launches;
    Recorder recorder(launches);
    const std::vector<kernels::Body> bodies{{"family/a", &recorder, 0, 3}, {"family/b", &recorder, 1, 2}};
    int launched = 0;
    for (int family = 0; family < 2; ++family) { // sessions follow one another
        fake.clear();
        launches.clear();
        kernels::measure(bodies, {.launched = [&](const kernels::Body&) { ++launched; },
                                  .passEnded = [&] { launches += '|'; }});
        CHECK(launches == "ababa|ababa|ababa|");
        const std::vector<std::string> turn{"push family/a", "pop", "push family/b", "pop"};
        std::vector<std::string> expected;
        for (const char* pass : {"pass 1", "pass 2", "pass 3"}) {
            expected.emplace_back(pass);
            for (int repeat = 0; repeat < 2; ++repeat)
                expected.insert(expected.end(), turn.begin(), turn.end());
            expected.insert(expected.end(), turn.begin(), turn.begin() + 2); // the slower one sits out
        }
        expected.emplace_back("end");
        CHECK(fake.lines() == expected);
    }
    CHECK(launched == 30);
}

TEST_CASE("known answers and checks reach the collector whole") {
    const FakeCollector fake;
    fake.clear();
    kernels::reportExpectation("family/a", {.metric = "flops_fp32",
                                            .relation = "~",
                                            .value = 12,
                                            .tolerance = 0.5,
                                            .text = "memory",
                                            .why = "because",
                                            .gpuOnly = true,
                                            .kernel = "Reduce",
                                            .reference = "family/b"});
    kernels::reportCheck("family/a", {false, "element 3 differs"});
    CHECK(kernels::collected());
    CHECK(fake.lines() ==
          std::vector<std::string>{
              "expect family/a [Reduce] flops_fp32 ~ 12.000000 0.500000 [memory] because 1 [family/b]",
              "check family/a 0 element 3 differs"});
}
