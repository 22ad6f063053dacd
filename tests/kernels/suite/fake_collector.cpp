// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
// A collector that asks for three passes and writes what it is told, a line each, to the file named by
// FAKE_COLLECTOR_LOG.

#include "instrument/collector_abi.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr int kPasses = 3;

void write(const std::string& line) {
    const char* path = std::getenv("FAKE_COLLECTOR_LOG");
    if (path == nullptr) std::abort();
    FILE* log = std::fopen(path, "a");
    if (log == nullptr) std::abort();
    std::fprintf(log, "%s\n", line.c_str());
    std::fclose(log);
}

int nextPass() {
    static int pass = 0;
    pass = pass < kPasses ? pass + 1 : 0;
    write(pass == 0 ? "end" : "pass " + std::to_string(pass));
    return pass == 0 ? 0 : 1;
}

void push(const char* name) {
    write(std::string("push ") + name);
}
void pop() {
    write("pop");
}
void expect(const DormerExpectation* e) {
    write(std::string("expect ") + e->workload + " [" + e->kernel + "] " + e->metric + " " + e->relation +
          " " + std::to_string(e->value) + " " + std::to_string(e->tolerance) + " [" + e->text + "] " +
          e->why + " " + std::to_string(e->gpuOnly) + " [" + e->reference + "]");
}
void check(const char* workload, int passed, const char* detail) {
    write(std::string("check ") + workload + " " + std::to_string(passed) + " " + detail);
}

void workload(const DormerWorkload* w) {
    std::string line = std::string("workload ") + w->workload + " [" + w->sweep + "] [" + w->better + "] " +
                       std::to_string(w->good) + std::to_string(w->wrongByDesign);
    for (const char* const* parameter = w->parameters; *parameter != nullptr; ++parameter)
        line += std::string(" ") + *parameter;
    write(line);
}
void sweep(const DormerSweep* s) {
    write(std::string("sweep ") + s->name + " [" + s->best + "]");
}

} // namespace

extern "C" const DormerCollector* dormerCollector(uint32_t abi) {
    static const DormerCollector collector{
        DORMER_COLLECTOR_ABI, nextPass, push, pop, expect, check, workload, sweep};
    return abi == DORMER_COLLECTOR_ABI ? &collector : nullptr;
}
