// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/suite/measure.h"

#include "instrument/dormer.h"

#include <algorithm>

namespace dormer::kernels {

void measure(std::span<const Body> bodies, const Hooks& hooks) {
    std::int64_t turns = 0;
    for (const Body& body : bodies)
        turns = std::max(turns, body.repeat);
    instrument::Session session;
    while (session.nextPass()) {
        for (std::int64_t turn = 0; turn < turns; ++turn) {
            for (const Body& body : bodies) {
                if (turn >= body.repeat) continue;
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
