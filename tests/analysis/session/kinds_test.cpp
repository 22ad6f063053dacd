// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/kinds.h"

#include "tests/support/catch.h"

#include <string>

using namespace dormer::session;

namespace {

/// Each enumerator comes back from its text.
template <Keyword K>
void checkWords(std::string_view last) {
    for (int i = 0; i <= static_cast<int>(K::Unknown); ++i) {
        const K value = static_cast<K>(i);
        INFO(toString(value));
        CHECK(toString(value).empty() == (value == K::None));
        K read{};
        CHECK(fromString(toString(value), read));
        CHECK(read == value);
    }
    CHECK(toString(static_cast<K>(static_cast<int>(K::Unknown) - 1)) == last);
    CHECK(toString(K::Unknown) == "unknown");
    for (const std::string_view other : {"Load", "global ", " ", "cluster"}) {
        K read{};
        CHECK(fromString(other, read));
        CHECK(read == K::Unknown);
    }
}

} // namespace

TEST_CASE("Keywords come back, those of later versions as unknown") {
    checkWords<MemorySpace>("generic");
    checkWords<MemoryOperation>("branch");
    checkWords<TransferKind>("cpu_fault");
    checkWords<TransferDirection>("peer");
    checkWords<MemoryKind>("array");
    checkWords<CodeLanguage>("ptx");
}
