// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/access/groups.h"

namespace dormer::kernels {

namespace {

SweepFacts sweep(const std::string& name, const std::string& title, const std::string& parameter) {
    return {.name = name,
            .title = title,
            .parameters = {parameter},
            .metrics = {"global_load_sectors_per_request", "l1_hit_rate", "l2_bytes", "duration_ns"}};
}

} // namespace

Family accessFamily() {
    return {
        .name = "access",
        .title = "Patterns of global memory access",
        .shows = "How the addresses of a warp's 32 lanes become 32-byte sectors, which is what memory moves",
        .groups = {accessPatternGroup(), accessOffsetGroup(), accessStrideGroup(), accessRereadGroup(),
                   accessStoreGroup()},
        .lookAt =
            "Look at global_load_sectors_per_request and global_store_sectors_per_request: the distinct "
            "32-byte sectors that one instruction of a warp touches. 32 lanes side by side need 4, 8 or 16 "
            "of "
            "them for words of 4, 8 or 16 bytes; the order of the lanes does not matter, a start inside a "
            "sector costs one more, and lanes 32 bytes or more apart cost a sector each, of which most is "
            "wasted (global_wasted_bytes). Whether loads may use L1 changes nothing of that: it "
            "shows in l1_hit_rate and l2_bytes. Caches forgive an offset, since the next warp uses the rest "
            "of the sector; they don't forgive a stride, as duration_ns along access/stride tells.",
        .sweeps = {sweep("offset", "4-byte loads that begin K elements off", "offset"),
                   sweep("offset_cg", "4-byte loads that bypass L1, offset by K elements", "offset"),
                   sweep("offset_8", "8-byte loads that begin K elements off", "offset"),
                   sweep("offset_16", "16-byte loads that begin K elements off", "offset"),
                   sweep("stride", "4-byte loads by lanes K elements apart", "stride"),
                   sweep("stride_8", "8-byte loads by lanes K elements apart", "stride"),
                   sweep("stride_16", "16-byte loads by lanes K elements apart", "stride")},
        .reference = {{"aligned, sectors of a warp's 128 bytes", "4, of which 100 % is used"},
                      {"permuted within the 128 bytes", "4 sectors, 100 % used"},
                      {"offset by 2 words", "5 sectors, 80 % used"},
                      {"offset by 16 words", "4 sectors, 100 % used"},
                      {"one address for all lanes", "1 sector, 12.5 % used"},
                      {"32 scattered words", "32 sectors, 12.5 % used"},
                      {"stores: 128 aligned bytes, 64 bytes, three pieces of 32 bytes",
                       "4, 2 and 3 sectors"}},
        .figures = {"global_load_sectors_per_request", "global_store_sectors_per_request", "l1_hit_rate",
                    "l2_bytes", "duration_ns"}};
}

} // namespace dormer::kernels
