// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/names/library_names.h"

#include "analysis/session/names/instance_names.h"
#include "analysis/session/names/name_walker.h"
#include "analysis/session/session.h"
#include "tests/support/catch.h"

using dormer::session::NameWalker;
using dormer::session::shortKernelName;

// The names are those that profiles of programs show, as __cxa_demangle and as NVIDIA's tools write them.

TEST_CASE("PyTorch's elementwise kernels say their operation and type") {
    CHECK(shortKernelName(
              "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
              "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)") ==
          "vectorized_elementwise_kernel<CUDAFunctor_add<float>>");
    CHECK(shortKernelName("void at::native::vectorized_elementwise_kernel<(int)4, "
                          "at::native::CUDAFunctor_add<c10::BFloat16>, "
                          "std::array<char *, (unsigned long)3>>(int, T2, T3)") ==
          "vectorized_elementwise_kernel<CUDAFunctor_add<BFloat16>>");
    CHECK(shortKernelName(
              "void at::native::vectorized_elementwise_kernel<4, at::native::BinaryFunctor<c10::BFloat16, "
              "c10::BFloat16, c10::BFloat16, at::native::binary_internal::DivFunctor<float> >, "
              "std::array<char*, 3ul> >(int)") == "vectorized_elementwise_kernel<DivFunctor<float>>");
    CHECK(
        shortKernelName("void at::native::vectorized_elementwise_kernel<8, "
                        "at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, "
                        "at::native::GeluType)::{lambda()#1}::operator()() const::{lambda()#4}::operator()() "
                        "const::{lambda(c10::BFloat16)#1}, std::array<char*, 2ul> >(int)") ==
        "vectorized_elementwise_kernel<GeluCUDAKernelImpl<BFloat16>>");
    CHECK(
        shortKernelName(
            "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<"
            "at::native::BinaryFunctor<float, float, float, at::native::binary_internal::MulFunctor<float> > "
            ">(at::TensorIteratorBase&, at::native::BinaryFunctor<float, float, float, "
            "at::native::binary_internal::MulFunctor<float> > const&)::{lambda(int)#1}>(int)") ==
        "elementwise_kernel<MulFunctor<float>>");
    CHECK(shortKernelName(
              "void at::native::elementwise_kernel<(int)128, (int)4, void "
              "at::native::gpu_kernel_impl_nocast<at::native::neg_kernel_cuda(at::TensorIteratorBase "
              "&)::[lambda() (instance 2)]::operator ()() const::[lambda() (instance 9)]::operator ()() "
              "const::[lambda(c10::BFloat16) (instance 1)]>(at::TensorIteratorBase &, const T1 "
              "&)::[lambda(int) "
              "(instance 1)]>(int, T3)") == "elementwise_kernel<neg_kernel_cuda<BFloat16>>");
    CHECK(
        shortKernelName(
            "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda("
            "at::TensorIteratorBase&)::{lambda()#3}::operator()() const::{lambda()#7}::operator()() "
            "const::{lambda(float)#1}, std::array<char*, 2ul>, 4, TrivialOffsetCalculator<1, unsigned int>, "
            "TrivialOffsetCalculator<1, unsigned int>, at::native::memory::LoadWithCast<1>, "
            "at::native::memory::StoreWithCast<1> >(int)") ==
        "unrolled_elementwise_kernel<direct_copy_kernel_cuda<float>>");
}

TEST_CASE("PyTorch's reductions and optimizers say what they do") {
    CHECK(shortKernelName("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, "
                          "at::native::func_wrapper_t<float, at::native::sum_functor<float, float, "
                          "float>::operator()(at::TensorIterator&)::{lambda(float, float)#1}>, unsigned int, "
                          "float, 4, 4> >(T3)") == "reduce_kernel<sum_functor<float>>");
    CHECK(shortKernelName("void at::native::reduce_kernel<(int)512, (int)1, at::native::ReduceOp<float, "
                          "at::native::MeanOps<float, float, float, float>, unsigned int, float, (int)4, "
                          "(int)4>>(T3)") == "reduce_kernel<MeanOps<float>>");
    CHECK(
        shortKernelName(
            "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
            "namespace)::TensorListMetadata<2>, at::native::(anonymous namespace)::BinaryOpListAlphaFunctor<"
            "float, 2, 2, 0>, std::plus<float>, float>(int)") ==
        "multi_tensor_apply_kernel<BinaryOpListAlphaFunctor<float>, plus<float>>");
    CHECK(shortKernelName(
              "void at::native::<unnamed>::multi_tensor_apply_kernel<at::native::<unnamed>::"
              "FusedOptimizerTensorListMetadata<(int)4>, at::native::<unnamed>::FusedAdamMathFunctor<float, "
              "(int)4>, double, double>(T1, T2)") ==
          "multi_tensor_apply_kernel<FusedAdamMathFunctor<float>>");
}

TEST_CASE("PyTorch's other kernels lose its namespaces only") {
    CHECK(shortKernelName("void at::native::(anonymous namespace)::CatArrayBatchedCopy_vectorized<"
                          "at::native::(anonymous namespace)::OpaqueType<2u>, unsigned int, 3, 128, 1, 16, 8>"
                          "(char*)") == "CatArrayBatchedCopy_vectorized");
    CHECK(shortKernelName("void at::native::mbtopk::gatherTopK<float, unsigned int, 2>(int)") ==
          "mbtopk::gatherTopK");
    CHECK(shortKernelName("void at::native::elementwise_kernel<128>(int)") == "elementwise_kernel");
    CHECK(shortKernelName("void native::elementwise_kernel<1, 2, 3>(int)") == "native::elementwise_kernel");
    CHECK(shortKernelName("at::native(int)") == "at::native");
}

TEST_CASE("CUTLASS kernels are known by their configuration") {
    CHECK(shortKernelName("void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x128_16x5_tn_align4>("
                          "cutlass_80_tensorop_s1688gemm_128x128_16x5_tn_align4::Params)") ==
          "cutlass_80_tensorop_s1688gemm_128x128_16x5_tn_align4");
    CHECK(
        shortKernelName("void cutlass__5x_cudnn::Kernel<cutlass_tensorop_f16_s16816fprop_optimized_f16_64x64>"
                        "(T1::Params)") == "cutlass_tensorop_f16_s16816fprop_optimized_f16_64x64");
    CHECK(shortKernelName("void cutlass::device_kernel<flash::enable_sm90_or_later<flash::FlashAttnFwdSm90<"
                          "flash::CollectiveMainloopFwdSm90<2, cute::tuple<cute::C<1>> > > > >(int)") ==
          "flash::FlashAttnFwdSm90");
    CHECK(shortKernelName("void cutlass::device_kernel<at::cuda::detail::enable_3x_kernel_for_sm9x<"
                          "cutlass::gemm::kernel::GemmUniversal<cute::tuple<int, int> > > >(int)") ==
          "cutlass::GemmUniversal");
    CHECK(shortKernelName("void cutlass::device_kernel<5>(int)") == "cutlass::device_kernel");
}

TEST_CASE("Generated names of cuBLAS, cuDNN, Triton and the CuTe DSL lose what says nothing") {
    CHECK(shortKernelName(
              "sm90_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x32_warpgroupsize1x1x1_execute_"
              "segment_k_off_kernel__5x_cublas") ==
          "sm90_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x32_warpgroupsize1x1x1");
    CHECK(shortKernelName("sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc_tilesize128x32x32_"
                          "stage4_warpsize4x1x1_g1_tensor16x8x16_execute_kernel__5x_cudnn") ==
          "sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc_tilesize128x32x32_stage4_"
          "warpsize4x1x1_g1_tensor16x8x16");
    CHECK(shortKernelName("void cudnn::winograd_nonfused::winogradForwardFilter4x4<float, float>(int)") ==
          "cudnn::winogradForwardFilter4x4");
    CHECK(shortKernelName(
              "std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, __nv_bfloat16, "
              "false, 6>(cublasGemvParamsEx<int>)") == "gemvx::kernel");
    CHECK(shortKernelName("add_kernel_0d1d2d3de") == "add_kernel");
    CHECK(shortKernelName("matmul_0d1d2d34c5d6c7d8c9d10c11d") == "matmul");
    CHECK(shortKernelName(
              "kernel_cutlass_kernel_flash_attncuteflash_fwd_sm100FlashAttentionForwardSm100_object_at__"
              "tensor0000o11101213_0") ==
          "kernel_cutlass_kernel_flash_attncuteflash_fwd_sm100FlashAttentionForwardSm100");
    // What people gave these names, or compilers for people, stays.
    for (const char* name :
         {"ampere_sgemm_128x64_tn", "nvjet_sm90_tst_192x208_64x4_2x1_v_bz_coopB_bias_TNT",
          "triton_poi_fused_add_0", "triton_per_fused__unsafe_view_add_native_layer_norm_3",
          "loop_add_fusion_4", "input_multiply_reduce_select_transpose_fusion_16",
          "cupy_multiply__float32_float_float32", "kernel_0d", "step_01", "a_0", "_0d1d", "x_0d2d"})
        CHECK(shortKernelName(name) == name);
    CHECK(shortKernelName("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)") ==
          "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
}

TEST_CASE("Thrust's kernels are known by their algorithm") {
    CHECK(shortKernelName(
              "void thrust::cuda_cub::core::_kernel_agent<thrust::cuda_cub::__parallel_for::"
              "ParallelForAgent<thrust::cuda_cub::__uninitialized_fill::functor<thrust::device_ptr<"
              "float>, float>, unsigned long>, thrust::cuda_cub::__uninitialized_fill::functor<"
              "thrust::device_ptr<float>, float>, unsigned long>(float)") == "thrust::uninitialized_fill");
    CHECK(shortKernelName(
              "void thrust::THRUST_200500_900_NS::cuda_cub::core::_kernel_agent<thrust::"
              "THRUST_200500_900_NS::cuda_cub::__scan::ScanAgent<int*, int*, thrust::plus<int>, int, "
              "int>, int*>(int*)") == "thrust::scan");
    CHECK(shortKernelName(
              "void cub::CUB_200700_750_NS::detail::for_each::static_kernel<cub::CUB_200700_750_NS::"
              "detail::for_each::policy_hub_t::policy_350_t, long, thrust::THRUST_200700_750_NS::"
              "cuda_cub::__transform::unary_transform_f<int*, int*> >(long)") == "cub::for_each<transform>");
    CHECK(shortKernelName(
              "void cub::detail::for_each::static_kernel<P, int, fill(int*)::{lambda(int)#1}>(int)") ==
          "cub::for_each<fill>");
}

TEST_CASE("Kernels that rules would name alike are told apart") {
    const auto instances = [](const std::vector<std::string>& names) {
        return dormer::session::instanceNames(std::vector<std::string_view>(names.begin(), names.end()));
    };
    const std::string add = "at::native::CUDAFunctor_add<float>";
    CHECK(instances({"void at::native::vectorized_elementwise_kernel<4, " + add + ">(int)",
                     "void at::native::vectorized_elementwise_kernel<8, " + add + ">(int)"}) ==
          std::vector<std::string>{"vectorized_elementwise_kernel<CUDAFunctor_add<float>> <4, …>",
                                   "vectorized_elementwise_kernel<CUDAFunctor_add<float>> <8, …>"});
    CHECK(instances({"triton__0d1d2de", "triton__0d1d2d", "add_0d1d"}) ==
          std::vector<std::string>{"triton__0d1d2de", "triton__0d1d2d", "add"});
}

TEST_CASE("Names of half a mebibyte take steps linear in their length") {
    const auto repeated = [](const std::string& before, const std::string& text, const std::string& after) {
        return [=](int count) {
            std::string name = before;
            for (int i = 0; i < count; ++i)
                name += text;
            for (int i = 0; i < count && after.size() == 1; ++i)
                name += after;
            return name;
        };
    };
    const std::string torch = "void at::native::vectorized_elementwise_kernel<4, ";
    for (const auto& make :
         {repeated("void f", "<a", ">"), repeated("void f<(", "a<b && ", ""), repeated("void f", "<", ")"),
          repeated(torch, "at::native::BinaryFunctor<a, b, c, ", ">"),
          repeated(torch, "gpu_kernel_impl<", ">"), repeated(torch, "f()::{lambda(", ")"),
          repeated("f", "_0d", ""), repeated("f", "::a", "")}) {
        const auto steps = [&make](int count) {
            const std::string name = make(count);
            const std::size_t before = NameWalker::stepsTaken();
            CHECK_FALSE(shortKernelName(name).empty());
            const std::size_t taken = NameWalker::stepsTaken() - before;
            CHECK(taken <= 40 * name.size());
            return static_cast<double>(taken);
        };
        CAPTURE(make(1));
        CHECK(steps(20'000) <= 2.1 * steps(10'000) + 1000);
    }
}
