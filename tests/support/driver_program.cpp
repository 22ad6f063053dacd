// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// A program of CUDA's driver interface: it has its kernels compiled while it runs, loads them as PTX, links
// them from two units, and uses both interfaces side by side. Each part checks its results and prints its
// name; what CUDA refuses is printed by name. Exit code 1 when anything was wrong.

#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

bool good = true;

void check(bool holds, const char* what) {
    if (!holds) {
        std::printf("wrong: %s\n", what);
        good = false;
    }
}

void succeed(CUresult result, const char* what) {
    if (result == CUDA_SUCCESS) return;
    const char* name = nullptr;
    cuGetErrorName(result, &name);
    std::printf("%s: %s\n", what, name != nullptr ? name : "?");
    good = false;
}
#define SUCCEED(call) succeed(call, #call)

const char* kSource = R"(
extern "C" {
__device__ int factor = 3;
__global__ void scale(const int* from, int* to, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) to[i] = from[i] * factor;
}
__global__ void reverse(int* values) {
    extern __shared__ int kept[];
    kept[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    values[threadIdx.x] = kept[blockDim.x - 1 - threadIdx.x];
}
}
)";

/// PTX for an architecture, or machine code for a chip.
std::string compiled(const char* architecture, bool machineCode) {
    nvrtcProgram program = nullptr;
    nvrtcCreateProgram(&program, kSource, "scale.cu", 0, nullptr, nullptr);
    const char* options[] = {architecture, "-lineinfo"};
    check(nvrtcCompileProgram(program, 2, options) == NVRTC_SUCCESS, "nvrtcCompileProgram");
    std::size_t bytes = 0;
    (machineCode ? nvrtcGetCUBINSize : nvrtcGetPTXSize)(program, &bytes);
    std::string code(bytes, '\0');
    (machineCode ? nvrtcGetCUBIN : nvrtcGetPTX)(program, code.data());
    nvrtcDestroyProgram(&program);
    return code;
}

constexpr int kCount = 1000;

std::vector<int> counting(int factor) {
    std::vector<int> values;
    for (int i = 0; i < kCount; ++i)
        values.push_back(i * factor);
    return values;
}

std::vector<int> fetched(CUdeviceptr from) {
    std::vector<int> values(kCount);
    SUCCEED(cuMemcpyDtoH(values.data(), from, kCount * sizeof(int)));
    return values;
}

CUdeviceptr sent(const std::vector<int>& values) {
    CUdeviceptr to = 0;
    SUCCEED(cuMemAlloc(&to, values.size() * sizeof(int)));
    SUCCEED(cuMemcpyHtoD(to, values.data(), values.size() * sizeof(int)));
    return to;
}

void useModules(const std::string& ptx) {
    CUmodule module = nullptr;
    SUCCEED(cuModuleLoadData(&module, ptx.c_str()));
    CUfunction scale = nullptr, reverse = nullptr, none = nullptr;
    SUCCEED(cuModuleGetFunction(&scale, module, "scale"));
    SUCCEED(cuModuleGetFunction(&reverse, module, "reverse"));
    check(cuModuleGetFunction(&none, module, "absent") == CUDA_ERROR_NOT_FOUND, "an absent kernel");
    CUdeviceptr factor = 0, from = sent(counting(1)), to = sent(counting(0));
    std::size_t bytes = 0;
    SUCCEED(cuModuleGetGlobal(&factor, &bytes, module, "factor"));
    check(bytes == sizeof(int), "size of a variable");
    int count = kCount;
    void* parameters[] = {&from, &to, &count};
    SUCCEED(cuLaunchKernel(scale, 8, 1, 1, 128, 1, 1, 0, nullptr, parameters, nullptr));
    check(fetched(to) == counting(3), "scale");

    // The other form of parameters, on a stream, timed.
    const int five = 5;
    SUCCEED(cuMemcpyHtoD(factor, &five, sizeof five));
    struct {
        CUdeviceptr from, to;
        int count;
    } packed = {from, to, kCount};
    std::size_t packedBytes = sizeof packed;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &packedBytes,
                     CU_LAUNCH_PARAM_END};
    CUstream stream = nullptr;
    CUevent begin = nullptr, end = nullptr;
    SUCCEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    SUCCEED(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    SUCCEED(cuEventCreate(&end, CU_EVENT_DEFAULT));
    SUCCEED(cuEventRecord(begin, stream));
    SUCCEED(cuLaunchKernel(scale, 8, 1, 1, 128, 1, 1, 0, stream, nullptr, extra));
    SUCCEED(cuEventRecord(end, stream));
    SUCCEED(cuStreamSynchronize(stream));
    float milliseconds = 0;
    SUCCEED(cuEventElapsedTime(&milliseconds, begin, end));
    check(milliseconds > 0 && milliseconds < 1, "time of a launch");
    check(fetched(to) == counting(5), "scale, packed");

    // More shared memory than a kernel gets unasked.
    const int sharedBytes = 64 << 10;
    check(cuLaunchKernel(reverse, 1, 1, 1, 32, 1, 1, sharedBytes, nullptr, &parameters[1], nullptr) ==
              CUDA_ERROR_INVALID_VALUE,
          "too much shared memory");
    SUCCEED(cuFuncSetAttribute(reverse, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, sharedBytes));
    CUlaunchConfig config = {1, 1, 1, 32, 1, 1, sharedBytes, stream, nullptr, 0};
    SUCCEED(cuLaunchKernelEx(&config, reverse, &parameters[1], nullptr));
    check(fetched(to)[0] == 31 * 5, "reverse");
    int threads = 0, blocks = 0, gridSize = 0, blockSize = 0;
    SUCCEED(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale));
    check(threads == 1024, "threads of a block");
    SUCCEED(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 1024, 0));
    check(blocks == 2, "blocks of an SM");
    SUCCEED(cuOccupancyMaxPotentialBlockSize(&gridSize, &blockSize, scale, nullptr, 0, 0));
    check(blockSize > 0 && gridSize > 0 && 2048 % blockSize == 0, "a block size that fills an SM");

    // A graph of a fill and a kernel.
    CUgraph graph = nullptr;
    CUgraphNode fill = nullptr, launch = nullptr;
    CUgraphExec exec = nullptr;
    CUcontext context = nullptr;
    SUCCEED(cuCtxGetCurrent(&context));
    SUCCEED(cuGraphCreate(&graph, 0));
    CUDA_MEMSET_NODE_PARAMS filling = {from, 0, 7, 4, kCount, 1};
    SUCCEED(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &filling, context));
    CUDA_KERNEL_NODE_PARAMS launching = {};
    launching.func = scale;
    launching.gridDimX = 8;
    launching.blockDimX = 128;
    launching.gridDimY = launching.gridDimZ = launching.blockDimY = launching.blockDimZ = 1;
    launching.kernelParams = parameters;
    SUCCEED(cuGraphAddKernelNode(&launch, graph, &fill, 1, &launching));
    SUCCEED(cuGraphInstantiate(&exec, graph, 0));
    SUCCEED(cuGraphLaunch(exec, stream));
    check(fetched(to) == std::vector<int>(kCount, 35), "a graph");
    SUCCEED(cuGraphExecDestroy(exec));
    SUCCEED(cuGraphDestroy(graph));

    SUCCEED(cuEventDestroy(begin));
    SUCCEED(cuEventDestroy(end));
    SUCCEED(cuStreamDestroy(stream));
    SUCCEED(cuMemFree(from));
    SUCCEED(cuMemFree(to));
    SUCCEED(cuModuleUnload(module));
    std::printf("modules\n");
}

void useMachineCode() {
    const std::string code = compiled("--gpu-architecture=sm_90", true); // of the chip that this runs on
    CUmodule module = nullptr;
    CUfunction scale = nullptr;
    SUCCEED(cuModuleLoadData(&module, code.c_str()));
    SUCCEED(cuModuleGetFunction(&scale, module, "scale"));
    CUdeviceptr from = sent(counting(1)), to = sent(counting(0));
    int count = kCount;
    void* parameters[] = {&from, &to, &count};
    SUCCEED(cuLaunchKernel(scale, 8, 1, 1, 128, 1, 1, 0, nullptr, parameters, nullptr));
    check(fetched(to) == counting(3), "a kernel of machine code");
    SUCCEED(cuMemFree(from));
    SUCCEED(cuMemFree(to));
    SUCCEED(cuModuleUnload(module));
    std::printf("machine code\n");
}

void useMemory() {
    // Rows of 10 words in a pitched allocation, and of 12 in the host's.
    CUdeviceptr pitched = 0;
    std::size_t pitch = 0;
    SUCCEED(cuMemAllocPitch(&pitched, &pitch, 40, 5, 4));
    SUCCEED(cuMemsetD2D32(pitched, pitch, 9, 10, 5));
    std::vector<int> rows(60, -1);
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = pitched;
    copy.srcPitch = pitch;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = rows.data();
    copy.dstPitch = 48;
    copy.WidthInBytes = 40;
    copy.Height = 5;
    SUCCEED(cuMemcpy2D(&copy));
    check(rows[0] == 9 && rows[9] == 9 && rows[10] == -1 && rows[57] == 9 && rows[58] == -1, "rows");
    CUdeviceptr base = 0;
    std::size_t bytes = 0;
    SUCCEED(cuMemGetAddressRange(&base, &bytes, pitched + pitch));
    check(base == pitched && bytes >= 5 * pitch - pitch + 40, "range of an address");
    unsigned type = 0;
    SUCCEED(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pitched));
    check(type == CU_MEMORYTYPE_DEVICE, "kind of an address");
    SUCCEED(cuMemFree(pitched));

    CUdeviceptr words = 0;
    SUCCEED(cuMemAlloc(&words, 8));
    SUCCEED(cuMemsetD8(words, 0x11, 8));
    SUCCEED(cuMemsetD16(words, 0x2222, 2));
    unsigned read[2] = {};
    SUCCEED(cuMemcpyDtoH(read, words, 8));
    check(read[0] == 0x22222222 && read[1] == 0x11111111, "fills");
    check(cuMemcpyDtoH(read, words, 9) == CUDA_ERROR_INVALID_VALUE, "a copy beyond its allocation");
    check(cudaPeekAtLastError() == cudaSuccess, "the driver's failures stay out of the runtime's");
    SUCCEED(cuMemFree(words));
    std::printf("memory\n");
}

void useContexts(CUdevice device) {
    CUcontext first = nullptr, second = nullptr, current = nullptr, primary = nullptr;
    SUCCEED(cuCtxCreate(&first, nullptr, 0, device));
    SUCCEED(cuCtxCreate(&second, nullptr, CU_CTX_SCHED_YIELD, device));
    SUCCEED(cuCtxPopCurrent(&current));
    check(current == second, "popped context");
    SUCCEED(cuCtxGetCurrent(&current));
    check(current == first, "context below");
    SUCCEED(cuCtxDestroy(second));
    check(cuCtxPushCurrent(second) == CUDA_ERROR_INVALID_CONTEXT, "a destroyed context");
    SUCCEED(cuCtxDestroy(first));
    SUCCEED(cuDevicePrimaryCtxRetain(&primary, device));
    SUCCEED(cuCtxSetCurrent(primary));
    std::printf("contexts\n");
}

/// Two units: one calls what the other defines, and both have a "hidden" of their own.
void linkUnits() {
    const char* caller = ".version 8.0\n.target sm_80\n.address_size 64\n"
                         ".extern .func (.param .b32 r) outer(.param .b32 a);\n"
                         ".global .align 4 .u32 hidden = 1000;\n"
                         ".visible .entry run(.param .u64 to) {\n"
                         ".reg .b32 %r<5>; .reg .b64 %rd<3>;\n"
                         "ld.param.u64 %rd1, [to]; ld.global.u32 %r1, [hidden];\n"
                         "{ .param .b32 p; .param .b32 q; st.param.b32 [p], %r1;\n"
                         "call (q), outer, (p); ld.param.b32 %r2, [q]; }\n"
                         "st.global.u32 [%rd1], %r2; ret; }\n";
    const char* callee = ".version 8.0\n.target sm_80\n.address_size 64\n"
                         ".global .align 4 .u32 hidden = 1;\n"
                         ".visible .func (.param .b32 r) outer(.param .b32 a) {\n"
                         ".reg .b32 %r<5>;\n"
                         "ld.param.b32 %r1, [a]; ld.global.u32 %r2, [hidden]; add.u32 %r3, %r1, %r2;\n"
                         "st.param.b32 [r], %r3; ret; }\n";
    char log[200] = "unset";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    CUlinkState state = nullptr;
    void* code = nullptr;
    std::size_t bytes = 0;
    SUCCEED(cuLinkCreate(2, options, values, &state));
    for (const char* unit : {caller, callee})
        SUCCEED(cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(unit), std::strlen(unit) + 1, "unit",
                              0, nullptr, nullptr));
    SUCCEED(cuLinkComplete(state, &code, &bytes));
    check(log[0] == '\0', "an empty log");
    CUmodule module = nullptr;
    SUCCEED(cuModuleLoadData(&module, code));
    SUCCEED(cuLinkDestroy(state));
    CUfunction run = nullptr;
    SUCCEED(cuModuleGetFunction(&run, module, "run"));
    CUdeviceptr to = sent({0});
    void* parameters[] = {&to};
    SUCCEED(cuLaunchKernel(run, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
    int sum = 0;
    SUCCEED(cuMemcpyDtoH(&sum, to, sizeof sum));
    check(sum == 1001, "linked units");
    std::printf("linked\n");
}

/// Memory and streams of the runtime's interface in a launch of the driver's, found by name.
void mix(const std::string& ptx) {
    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
    SUCCEED(cuLibraryLoadData(&library, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    SUCCEED(cuLibraryGetKernel(&kernel, library, "scale"));
    CUfunction scale = nullptr;
    SUCCEED(cuKernelGetFunction(&scale, kernel));
    int *from = nullptr, *to = nullptr, count = kCount;
    check(cudaMalloc(&from, kCount * sizeof(int)) == cudaSuccess, "cudaMalloc");
    check(cudaMalloc(&to, kCount * sizeof(int)) == cudaSuccess, "cudaMalloc");
    const std::vector<int> values = counting(1);
    check(cudaMemcpy(from, values.data(), kCount * sizeof(int), cudaMemcpyHostToDevice) == cudaSuccess,
          "cudaMemcpy");
    cudaStream_t stream = nullptr;
    check(cudaStreamCreate(&stream) == cudaSuccess, "cudaStreamCreate");
    void* byName = nullptr;
    cudaDriverEntryPointQueryResult found = {};
    check(cudaGetDriverEntryPointByVersion("cuLaunchKernel", &byName, 12000, cudaEnableDefault, &found) ==
                  cudaSuccess &&
              found == cudaDriverEntryPointSuccess,
          "cudaGetDriverEntryPointByVersion");
    void* absent = &byName;
    check(cudaGetDriverEntryPointByVersion("cuNoSuch", &absent, 12000, cudaEnableDefault, &found) ==
                  cudaSuccess &&
              found == cudaDriverEntryPointSymbolNotFound && absent == nullptr,
          "an absent function");
    void* parameters[] = {&from, &to, &count};
    if (byName != nullptr)
        succeed(reinterpret_cast<decltype(&cuLaunchKernel)>(byName)(scale, 8, 1, 1, 128, 1, 1, 0, stream,
                                                                    parameters, nullptr),
                "cuLaunchKernel by name");
    check(cudaStreamSynchronize(stream) == cudaSuccess, "cudaStreamSynchronize");
    check(fetched(reinterpret_cast<CUdeviceptr>(to)) == counting(3), "both interfaces");
    SUCCEED(cuLibraryUnload(library));
    std::printf("mixed\n");
}

/// What is wrong with the code a program loads, by CUDA's names.
void loadBad(const std::string& ptx) {
    const auto print = [](const char* what, CUresult result) {
        const char* name = nullptr;
        cuGetErrorName(result, &name);
        std::printf("%s: %s\n", what, name != nullptr ? name : "?");
    };
    CUmodule module = nullptr;
    char log[200] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER};
    void* values[] = {reinterpret_cast<void*>(sizeof log), log};
    print("half a file",
          cuModuleLoadDataEx(&module, ptx.substr(0, ptx.size() / 2).c_str(), 2, options, values));
    check(std::strstr(log, "PTX line") != nullptr, "the line in the log");
    print("no code", cuModuleLoadData(&module, "hello"));
    print("a cubin", cuModuleLoadData(&module, "\x7f"
                                               "ELF\2\1\1"));
    print("a stranger's fat binary", cuModuleLoadData(&module, "__CLANG_OFFLOAD_BUNDLE__"));
    print("an absent file", cuModuleLoad(&module, "/no/such.ptx"));
}

} // namespace

int main(int argc, char** argv) {
    int count = 0;
    check(cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED, "before cuInit");
    SUCCEED(cuInit(0));
    SUCCEED(cuDeviceGetCount(&count));
    CUdevice device = -1;
    SUCCEED(cuDeviceGet(&device, 0));
    check(count == 1 && cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE, "one device");
    char name[100] = "";
    SUCCEED(cuDeviceGetName(name, sizeof name, device));
    CUdeviceptr none = 0;
    check(cuMemAlloc(&none, 4) == CUDA_ERROR_INVALID_CONTEXT, "without a context");
    useContexts(device);
    const std::string ptx = compiled("--gpu-architecture=compute_80", false);
    if (argc > 1 && std::string(argv[1]) == "bad") {
        loadBad(ptx);
    } else if (argc > 1 && std::string(argv[1]) == "cubin") {
        useMachineCode();
    } else {
        useModules(ptx);
        useMemory();
        linkUnits();
        mix(ptx);
    }
    return good ? 0 : 1;
}
