// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/passes/backends.h"

#include <memory>

struct CUctx_st;

namespace dormer::instrument::cupti {

/// The memory of a context, saved and put back by CUPTI's checkpoints: what lies on the device, what the
/// driver manages, and pinned host memory. CUPTI keeps the copy on the device, else on the host, else in
/// files.
class Checkpoint : public passes::MemoryBackend {
public:
    /// CUPTI's checkpoints are a library of their own, beside CUPTI; the error says that it is missing.
    [[nodiscard]] static Result<std::unique_ptr<Checkpoint>> create(CUctx_st* context);
    ~Checkpoint() override;

    /// Refused where the copy would have to lie on the host and takes seconds.
    [[nodiscard]] Result<void> save() override;
    [[nodiscard]] Result<void> restore() override;
    void release() override;

private:
    struct Calls;
    struct Handle;
    Checkpoint(const Calls& calls, CUctx_st* context);

    const Calls& m_calls;
    std::unique_ptr<Handle> m_handle;
    bool m_saved = false;
};

} // namespace dormer::instrument::cupti
