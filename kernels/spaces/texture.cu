// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/spaces/groups.h"
#include "kernels/spaces/patches.h"

namespace dormer::kernels::spaces {

namespace {

constexpr dim3 kPatchBlock{kPatchWidth, kBlock / kPatchWidth};

__host__ __device__ int clamped(int position, int side) {
    return position < 0 ? 0 : position < side ? position : side - 1;
}

// Sums of 3 x 3 texels. The texture unit clamps the coordinates at the border, and the array's layout keeps
// texels together that are near in both directions.
__global__ void blurTexture(cudaTextureObject_t image, unsigned* sums, int side) {
    const int x = static_cast<int>(blockIdx.x * kPatchBlock.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * kPatchBlock.y + threadIdx.y);
    unsigned sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            sum +=
                tex2D<unsigned>(image, static_cast<float>(x + dx) + 0.5F, static_cast<float>(y + dy) + 0.5F);
    sums[y * side + x] = sum;
}

// The same from rows in global memory.
__global__ void blurGlobal(const unsigned* image, unsigned* sums, int side) {
    const int x = static_cast<int>(blockIdx.x * kPatchBlock.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * kPatchBlock.y + threadIdx.y);
    unsigned sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            sum += image[clamped(y + dy, side) * side + clamped(x + dx, side)];
    sums[y * side + x] = sum;
}

struct Texel {
    std::uint64_t seed;
    __host__ __device__ unsigned operator()(std::size_t i) const {
        return static_cast<unsigned>(mixed(seed, i));
    }
};

/// Makes the texels anew instead of reading the image, which may have gone wrong on its way into the array.
struct IsBlurred {
    Texel texel;
    const unsigned* sums;
    int side;
    __device__ bool operator()(std::size_t i) const {
        const int x = static_cast<int>(i % static_cast<std::size_t>(side));
        const int y = static_cast<int>(i / static_cast<std::size_t>(side));
        unsigned sum = 0;
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx)
                sum += texel(static_cast<std::size_t>(clamped(y + dy, side)) * side + clamped(x + dx, side));
        return sums[i] == sum;
    }
};

/// A CUDA array with a texture object that reads its texels unfiltered and clamps at the border.
class Texture {
public:
    Texture(const DeviceBuffer<unsigned>& image, int side) {
        const auto edge = static_cast<std::size_t>(side);
        const std::size_t rowBytes = edge * sizeof(unsigned);
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned>();
        CUDA_CHECK(cudaMallocArray(&m_array, &format, edge, edge));
        CUDA_CHECK(cudaMemcpy2DToArray(m_array, 0, 0, image.data(), rowBytes, rowBytes, edge,
                                       cudaMemcpyDeviceToDevice));
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = m_array;
        cudaTextureDesc description{};
        description.addressMode[0] = cudaAddressModeClamp;
        description.addressMode[1] = cudaAddressModeClamp;
        description.filterMode = cudaFilterModePoint;
        description.readMode = cudaReadModeElementType;
        CUDA_CHECK(cudaCreateTextureObject(&m_object, &resource, &description, nullptr));
    }
    ~Texture() {
        // Nothing useful can be done about a failure here; the next checked call reports it.
        static_cast<void>(cudaDestroyTextureObject(m_object));
        static_cast<void>(cudaFreeArray(m_array));
    }
    Texture(const Texture&) = delete;
    Texture& operator=(const Texture&) = delete;
    [[nodiscard]] cudaTextureObject_t object() const { return m_object; }

private:
    cudaArray_t m_array = nullptr;
    cudaTextureObject_t m_object = 0;
};

DeviceBuffer<unsigned> madeImage(const Setup& setup) {
    DeviceBuffer<unsigned> image(setup.size);
    fill(image, Texel{setup.seed});
    return image;
}

struct Image {
    explicit Image(const Setup& setup)
        : side(static_cast<int>(sideOf(setup.size)))
        , texel{setup.seed}
        , pixels(madeImage(setup))
        , texture(pixels, side)
        , sums(setup.size) {}
    [[nodiscard]] dim3 grid() const {
        return {static_cast<unsigned>(side) / kPatchBlock.x, static_cast<unsigned>(side) / kPatchBlock.y};
    }

    int side;
    Texel texel;
    DeviceBuffer<unsigned> pixels;
    Texture texture;
    DeviceBuffer<unsigned> sums; // shared by both variants
};

void launchTexture(Image& image) {
    blurTexture<<<image.grid(), kPatchBlock>>>(image.texture.object(), image.sums.data(), image.side);
}
void launchGlobal(Image& image) {
    blurGlobal<<<image.grid(), kPatchBlock>>>(image.pixels.data(), image.sums.data(), image.side);
}

CheckResult check(Image& image, void (*launch)(Image&)) {
    CUDA_CHECK(cudaMemset(image.sums.data(), 0xFF, image.sums.bytes()));
    launch(image);
    CUDA_CHECK(cudaGetLastError());
    return checkEach(image.sums.size(), IsBlurred{image.texel, image.sums.data(), image.side},
                     "sums(y, x) == the sum of the 3 x 3 texels around it");
}

Expectation storedByPatch() {
    return exactly("global_store_sectors_per_request", kPatchHeight,
                   "a warp writes 4 rows of 8 words, a sector each");
}

std::vector<Expectation> answersTexture(std::size_t) {
    return {exactly("global_load_sectors", 0, "texture fetches are no global loads"),
            exactly("global_load_requests", 0, "texture fetches are no global loads"), storedByPatch(),
            noLocalMemory()};
}

std::vector<Expectation> answersGlobal(std::size_t size) {
    return {exactly("global_load_requests", static_cast<double>(size / 32 * 9), "9 texels for each sum"),
            exactly("global_load_sectors", static_cast<double>(blurSectors(sideOf(size))),
                    "a patch of 8 x 4 texels that is moved sideways takes two sectors per row"),
            storedByPatch(), noLocalMemory()};
}

std::vector<Row<Image>> rows() {
    return {
        {{.name = "texture_2d",
          .shows = "3 x 3 sums through the texture unit: near in two dimensions, clamped at the border",
          .knownAnswers = answersTexture,
          .good = true},
         launchTexture,
         [](Image& image) { return check(image, launchTexture); }},
        {{.name = "global_2d",
          .shows = "the same sums from rows in global memory: two sectors per row once the patch shifts",
          .knownAnswers = answersGlobal},
         launchGlobal,
         [](Image& image) { return check(image, launchGlobal); }},
    };
}

} // namespace

Group textureGroup() {
    return groupOf<Image>(
        rows(), Sizes{std::size_t{4096} * 4096, std::size_t{256} * 256}, roundToImage,
        [](std::size_t size) { return 3 * size * sizeof(unsigned); },
        [](std::size_t size) {
            const std::string side = std::to_string(sideOf(size));
            return std::vector<std::string>{"size=" + std::to_string(size), "image=" + side + "x" + side,
                                            "block=8x32", "warp=8x4"};
        });
}

} // namespace dormer::kernels::spaces
