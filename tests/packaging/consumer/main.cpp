// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/dormer.h"

int main() {
    // Outside Dormer the loop runs once.
    int passes = 0;
    dormer::instrument::Session session;
    while (session.nextPass()) {
        const dormer::instrument::Range range{"consumer/nothing"};
        ++passes;
    }
    return passes == 1 ? 0 : 1;
}
