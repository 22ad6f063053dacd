// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/collect/nvtx_ranges.h"
#include "instrument/collect/record_stream.h"
#include "instrument/collector_abi.h"
#include "instrument/cupti/passes/pass_controller.h"
#include "instrument/cupti/program_profile.h"

#include <memory>
#include <mutex>

namespace dormer::instrument::cupti {

/// The collector of this process: ties the program's pass loop, CUPTI's callbacks and the record stream
/// together. Lives until the process ends, because CUPTI calls back until then.
class Collector {
public:
    /// Null when no launcher waits for records (DORMER_STREAM is not set).
    static Collector* instance();

    bool nextPass();
    void pushWorkload(const char* name);
    void popWorkload();
    /// A known answer, workload or sweep that the program names.
    void declare(const session::Record& record);
    void check(const char* workload, bool passed, const char* detail);

    /// Set when the process is profiled as it runs, instead of in passes that its own loops give.
    [[nodiscard]] ProgramProfile* profile() { return m_profile.get(); }
    /// Where the calling thread is, kept while it stays there.
    [[nodiscard]] const passes::Place& placeNow() const;

    /// From CUPTI's callbacks, around each launch of the program.
    void launchBegins(collect::LaunchCall call);
    void launchEnds();
    /// Around each launch of a graph; `function` is the executable graph.
    void graphBegins(collect::LaunchCall call);
    void graphEnds(const void* executable);
    /// After a call that copied, filled or was about memory.
    void memoryCalled(passes::MemoryApiCall call);
    /// Where the calling thread is.
    [[nodiscard]] passes::Place place() const;
    [[nodiscard]] collect::NvtxRanges& nvtx() { return m_nvtx; }

    /// What is wanted of modules as they load: copies, for what is told of their instructions, or a look at
    /// what their kernels call, as some may run twice.
    enum class Modules { Ignored, LookedAt, Kept };
    [[nodiscard]] static Modules wantedModules();

    void note(const std::string& code, const std::string& text);

private:
    explicit Collector(std::string launcher);
    void begin(); ///< idempotent; the caller holds m_mutex
    void locate(collect::LaunchCall& call) const;

    collect::RecordStream m_stream;
    std::mutex m_mutex; ///< guards m_passes and m_began
    stream::CollectOptions m_options;
    collect::NvtxRanges m_nvtx;
    std::unique_ptr<ProgramProfile> m_profile;
    std::unique_ptr<passes::PassController> m_passes; ///< made at the first pass, when there is a context
    bool m_began = false;
};

} // namespace dormer::instrument::cupti
