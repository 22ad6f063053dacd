// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/measure.h"

#include "instrument/dormer.h"

namespace dormer::kernels {

void measure(std::span<const Body> bodies, std::int64_t repeat, const Hooks& hooks) {
    instrument::Session session;
    while (session.nextPass()) {
        for (std::int64_t turn = 0; turn < repeat; ++turn) {
            for (const Body& body : bodies) {
                {
                    const instrument::Range range{body.path.c_str()};
                    body.instance->launch(body.variant);
                }
                hooks.launched(body);
            }
        }
        hooks.passEnded();
    }
}

} // namespace dormer::kernels
