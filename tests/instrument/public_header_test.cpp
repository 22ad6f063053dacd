// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The public header by itself, as a benchmark author's C++17 program sees it, outside Dormer.

#include "instrument/dormer.h"

#include <cstdio>
#include <cstdlib>

int main() {
    unsetenv("DORMER_COLLECTOR");
    int bodies = 0;
    dormer::instrument::Session session;
    while (session.nextPass()) {
        const dormer::instrument::Range range{"family/variant"};
        if (!session.firstPass()) return 1;
        ++bodies;
    }
    if (bodies == 1 && !dormer::instrument::active()) return 0;
    std::fprintf(stderr, "the body ran %d times outside Dormer, active() is %d\n", bodies,
                 dormer::instrument::active() ? 1 : 0);
    return 1;
}
