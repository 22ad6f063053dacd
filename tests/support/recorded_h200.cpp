// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/recorded_h200.h"

#include <array>

namespace dormer::tests {

using namespace session;

namespace {

constexpr std::size_t kLaunches = 7;

struct Row {
    const char* counter;
    std::array<double, kLaunches> values;
};

// As printed on the raw pages of two reports of the same program. The tag requests are printed as a share of
// 94 per cycle (3.68 % and so on of lts__cycles_elapsed) and turned back into counts.
constexpr Row kRows[] = {
    {"dram__bytes_read.sum", {134228480, 135947008, 5120, 67113728, 67118080, 67133440, 33792}},
    {"dram__bytes_write.sum", {55006208, 59302912, 0, 47067904, 45102336, 2413824, 0}},
    {"lts__t_sectors_op_read.sum", {6284418, 37079358, 2546, 3147459, 3146950, 3152424, 5821}},
    {"lts__t_sectors_op_write.sum", {3163414, 25223990, 53560, 3147757, 3146032, 6317, 253}},
    {"lts__t_sectors_op_atom.sum", {0, 0, 0, 0, 0, 0, 0}},
    {"lts__t_sectors_op_red.sum", {0, 0, 0, 0, 0, 0, 0}},
    {"lts__t_sectors.sum", {9500990, 65953225, 65769, 6360384, 6416627, 3186090, 8947}},
    {"lts__t_sectors_lookup_hit.sum", {3208962, 60727532, 62101, 3217503, 3177261, 37526, 7025}},
    {"lts__t_sectors_lookup_miss.sum", {6286350, 8421097, 359, 3146557, 3146022, 3147211, 1875}},
    {"lts__t_sectors.sum.peak_sustained", {282, 282, 282, 282, 282, 282, 282}},
    {"lts__t_tag_requests.sum", {3062465, 65524898, 24802, 2012540, 2028003, 924106, 2139}},
    {"lts__t_tag_requests.sum.peak_sustained", {94, 94, 94, 94, 94, 94, 94}},
    {"l1tex__t_bytes.sum", {201326592, 1610612736, 1081344, 134217728, 134217728, 67239936, 16416}},
    {"l1tex__t_sectors_lookup_hit.sum", {0, 272594, 0, 0, 0, 179, 0}},
    {"l1tex__t_sectors_lookup_miss.sum", {6291456, 50059054, 33792, 4194304, 4194304, 2101069, 513}},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", {1048576, 1048576, 0, 524288, 524288, 131072, 32}},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", {524288, 524288, 8448, 524288, 524288, 4096, 1}},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     {4194304, 33554432, 0, 2097152, 2097152, 2097152, 512}},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", {2097152, 16777216, 33792, 2097152, 2097152, 4096, 1}},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", {0, 0, 0, 16904773, 548822, 12628, 3}},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", {0, 0, 0, 564321, 541950, 34611, 8}},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", {74.13, 81.94, 56.76, 92.88, 91.16, 89.69, 11.75}},
    {"smsp__inst_executed.sum", {10485760, 10485760, 145221120, 6422528, 6422528, 2474072, 549}},
    {"smsp__inst_issued.sum", {10490122, 10490258, 145226360, 6429871, 6428523, 2494846, 557}},
    {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
     {16777216, 16777216, 1622016, 0, 0, 19984384, 4880}},
    {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", {0, 0, 270336, 0, 0, 0, 0}},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", {0, 0, 4429185024, 0, 0, 0, 0}},
    {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", {0, 0, 0, 0, 0, 0, 0}},
    {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", {0, 0, 0, 0, 0, 0, 0}},
    {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", {0, 0, 0, 0, 0, 0, 0}},
    {"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", {0, 0, 0, 0, 0, 0, 0}},
    {"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", {0, 0, 0, 0, 0, 0, 0}},
    {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", {0, 0, 0, 0, 0, 4096, 1}},
    {"sm__cycles_elapsed.avg.per_second",
     {1.966165e9, 1.977696e9, 1.980338e9, 1.989013e9, 2.012410e9, 1.879193e9, 1.925696e9}},
    {"dram__cycles_elapsed.avg.per_second",
     {3.197066e9, 3.199366e9, 3.198903e9, 3.197932e9, 3.197986e9, 3.191753e9, 3.166667e9}},
    {"lts__cycles_elapsed.avg.per_second",
     {1.706178e9, 1.708023e9, 1.705491e9, 1.704118e9, 1.704379e9, 1.700043e9, 1.687500e9}},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", {32, 4, 0, 32, 32, 32, 32}},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", {32, 4, 32, 32, 32, 4, 4}},
    {"smsp__sass_inst_executed_op_shared_ld.sum", {0, 0, 0, 524288, 524288, 12288, 3}},
    {"smsp__sass_inst_executed_op_shared_st.sum", {0, 0, 0, 524288, 524288, 32768, 8}},
    // Not on those pages: 32 words of one bank make 32 wavefronts of 4 bytes per lane. Nsight Compute derives
    // the same 16252928 excessive wavefronts for the first transpose and none for the others.
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", {0, 0, 0, 16777216, 524288, 12288, 3}},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", {0, 0, 0, 524288, 524288, 32768, 8}},
    {"smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_ld.ratio", {0, 0, 0, 4, 128, 128, 128}},
    {"smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_st.ratio", {0, 0, 0, 128, 128, 4, 4}},
};

struct Shape {
    const char* kernel;
    Dim3 grid, block;
    std::uint32_t registers;
    std::uint64_t staticShared;
    double durationNs;
};

constexpr Shape kShapes[kLaunches] = {
    {"vecadd(const float *, const float *, float *, int)", {65536, 1, 1}, {256, 1, 1}, 16, 0, 57952},
    {"vecadd_strided(const float *, const float *, float *, int)", {65536, 1, 1}, {256, 1, 1}, 16, 0, 502912},
    {"fma_loop(float *, int)", {1056, 1, 1}, {256, 1, 1}, 16, 0, 224736},
    {"void transpose<0>(float *, const float *, int)", {128, 128, 1}, {32, 8, 1}, 28, 4096, 84640},
    {"void transpose<1>(float *, const float *, int)", {128, 128, 1}, {32, 8, 1}, 28, 4224, 33824},
    {"void cub::DeviceReduceKernel<...>(T2, T5 *, T3, cub::GridEvenShare<T3>, T4, T6)",
     {4096, 1, 1},
     {256, 1, 1},
     32,
     44,
     18400},
    {"void cub::DeviceReduceSingleTileKernel<...>(T2, T3, T4, T5, T6, T8)",
     {1, 1, 1},
     {256, 1, 1},
     32,
     44,
     2592},
};

} // namespace

Device h100Sxm() {
    Device device;
    device.name = "NVIDIA H100 80GB HBM3";
    device.chip = "GH100";
    device.computeCapabilityMajor = 9;
    device.computeCapabilityMinor = 0;
    device.smCount = 132;
    device.smClockMaxHz = 1.98e9;
    device.memoryClockMaxHz = 2.619e9;
    device.memoryBusBits = 5120;
    device.l2Bytes = 52428800;
    device.sharedBytesPerSm = 233472;
    device.sharedBytesPerBlockOptin = 232448;
    device.reservedSharedBytesPerBlock = 1024;
    device.registersPerSm = 65536;
    device.maxThreadsPerSm = 2048;
    device.maxBlocksPerSm = 32;
    return device;
}

Device h200() {
    Device device = h100Sxm();
    device.name = "NVIDIA H200";
    device.memoryClockMaxHz = 3.201e9;
    device.memoryBusBits = 6016;
    device.l2Bytes = 62914560;
    return device;
}

Session recordedSession() {
    Session session;
    session.apply(h200());
    for (std::size_t i = 0; i < kLaunches; ++i) {
        const Shape& shape = kShapes[i];
        Kernel kernel;
        kernel.id = i;
        kernel.name = kernel.mangledName = shape.kernel;
        kernel.registersPerThread = shape.registers;
        kernel.staticSharedBytes = shape.staticShared;
        session.apply(kernel);
        Launch launch;
        launch.id = i;
        launch.kernel = i;
        launch.grid = shape.grid;
        launch.block = shape.block;
        launch.durationNs = shape.durationNs;
        session.apply(launch);
        LaunchCounters counters{i, {}, true};
        for (const Row& row : kRows)
            counters.values[row.counter] = row.values[i];
        session.apply(counters);
    }
    return session;
}

Session oneLaunch(const Device& device, const Launch& launch, const std::map<std::string, double>& counters,
                  const Kernel& kernel) {
    Session session;
    session.apply(device);
    session.apply(kernel);
    session.apply(launch);
    session.apply(LaunchCounters{launch.id, counters, true});
    return session;
}

std::map<std::string, double> idleCounters() {
    std::map<std::string, double> counters = {{"dram__bytes_read.sum", 0},
                                              {"dram__bytes_write.sum", 0},
                                              {"lts__t_sectors_op_read.sum", 0},
                                              {"lts__t_sectors_op_write.sum", 0},
                                              {"lts__t_sectors_op_atom.sum", 0},
                                              {"lts__t_sectors_op_red.sum", 0},
                                              {"l1tex__t_bytes.sum", 0},
                                              {"smsp__inst_issued.sum", 1000},
                                              {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 0},
                                              {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 0},
                                              {"sm__warps_active.avg.pct_of_peak_sustained_active", 90}};
    for (const char* op : {"fadd", "fmul", "ffma", "dadd", "dmul", "dfma", "hadd", "hmul", "hfma", "integer"})
        counters[std::string("smsp__sass_thread_inst_executed_op_") + op + "_pred_on.sum"] = 0;
    return counters;
}

std::map<std::string, double> unknownTensorCounters() {
    std::map<std::string, double> counters = {{"sm__inst_executed_pipe_tensor.sum", 1e6}};
    for (const char* family : {"fp16", "bf16_dst_fp32", "tf32_dst_fp32", "fp64", "fp8", "int8", "int1"})
        counters["sm__ops_path_tensor_src_" + std::string(family) + ".sum"] = 0;
    return counters;
}

} // namespace dormer::tests
