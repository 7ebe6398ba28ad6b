#include "tool/transforms/cuda/group_reduction.h"

#include <cstdlib>
#include <sstream>

namespace hone::frontend {
namespace {

struct Words {
  const char* name;
  const char* combined;  // of `value` and `other`
};

Words words_of(ReductionKind kind) {
  switch (kind) {
    case ReductionKind::product:
      return {"product", "value * other"};
    case ReductionKind::minimum:
      return {"least", "other < value ? other : value"};
    case ReductionKind::maximum:
      return {"largest", "other > value ? other : value"};
    case ReductionKind::bit_and:
      return {"all_bits", "value & other"};
    case ReductionKind::bit_or:
      return {"any_bits", "value | other"};
    case ReductionKind::bit_xor:
      return {"odd_bits", "value ^ other"};
    default:
      return {"sum", "value + other"};
  }
}

}  // namespace

bool can_shuffle(const clang::ASTContext& ast, clang::QualType type) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (!type->isBuiltinType() || type->isBooleanType() || !type->isArithmeticType()) return false;
  const auto bits = ast.getTypeSize(type);
  return bits == 32 || bits == 64;
}

std::string identity_of(ReductionKind kind) {
  switch (kind) {
    case ReductionKind::sum:
    case ReductionKind::bit_or:
    case ReductionKind::bit_xor:
      return "0";
    case ReductionKind::product:
      return "1";
    case ReductionKind::bit_and:
      return "~0";
    default:
      return "";
  }
}

std::string over_group(Edits& edits, const KernelContext& context, ReductionKind kind, int lanes,
                       const std::string& value) {
  const Words words = words_of(kind);
  const std::string name = helper_name(context, words.name), combined = words.combined;
  helper_once(edits, context, name,
              "// Over groups of `lanes` neighbouring threads; more than a warp are a block.\n"
              "template <int lanes, class T>\n"
              "static __device__ __forceinline__ T " +
                  name +
                  "(T value) {\n"
                  "  const unsigned members =\n"
                  "      lanes < 32 ? ((1u << lanes % 32) - 1) << (threadIdx.x % 32 / lanes * lanes) : 0xffffffffu;\n"
                  "#pragma unroll\n"
                  "  for (int distance = (lanes < 32 ? lanes : 32) / 2; distance > 0; distance /= 2) {\n"
                  "    const T other = __shfl_xor_sync(members, value, distance);\n"
                  "    value = " +
                  combined +
                  ";\n  }\n"
                  "  if (lanes > 32) {\n"
                  "    __shared__ T parts[(lanes + 31) / 32];\n"
                  "    __syncthreads();\n"
                  "    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;\n"
                  "    __syncthreads();\n"
                  "    value = parts[0];\n"
                  "#pragma unroll\n"
                  "    for (int warp = 1; warp < (lanes + 31) / 32; ++warp) {\n"
                  "      const T other = parts[warp];\n"
                  "      value = " +
                  combined + ";\n    }\n  }\n  return value;\n}\n\n");
  return name + "<" + std::to_string(lanes) + ">(" + value + ")";
}

// Architectures are written "sm_90" and "compute_90a" there.
bool has_clusters(const KernelSpec& spec) {
  constexpr int first_with_clusters = 90;
  bool found = false;
  std::istringstream words(spec.target);
  for (std::string word; words >> word;) {
    const std::size_t digits = word.find('_') + 1;
    if (!word.starts_with("sm_") && !word.starts_with("compute_")) continue;
    if (std::atoi(word.c_str() + digits) < first_with_clusters) return false;
    found = true;
  }
  return found;
}

void launch_clusters(Edits& edits, const KernelContext& context, const Launch& launch, const std::string& grid,
                     int blocks) {
  const std::string count = std::to_string(blocks), name = helper_name(context, "wider");
  helper_once(edits, context, name,
              "// A grid with `times` as many blocks along x.\n"
              "static dim3 " +
                  name + "(dim3 grid, unsigned times) { return dim3(grid.x * times, grid.y, grid.z); }\n\n");
  edits.include("<cooperative_groups.h>");
  edits.replace_name(context.kernel, "__cluster_dims__(" + count + ", 1, 1) " + context.kernel->getNameAsString());
  edits.replace(launch.grid_range, name + "(" + grid + ", " + count + ")");
}

std::string over_cluster(Edits& edits, const KernelContext& context, ReductionKind kind, int lanes, int blocks,
                         const std::string& value) {
  const Words words = words_of(kind);
  const std::string of_block = over_group(edits, context, kind, lanes, "value");
  const std::string name = helper_name(context, std::string("cluster_") + words.name);
  helper_once(edits, context, name,
              "// Over the threads of a cluster of blocks.\n"
              "template <int lanes, int blocks, class T>\n"
              "static __device__ __forceinline__ T " +
                  name +
                  "(T value) {\n"
                  "  __shared__ T part;\n"
                  "  value = " +
                  of_block.substr(0, of_block.find('<')) +
                  "<lanes>(value);\n"
                  "  const auto cluster = cooperative_groups::this_cluster();\n"
                  "  if (threadIdx.x == 0) part = value;\n"
                  "  cluster.sync();\n"
                  "  value = *cluster.map_shared_rank(&part, 0);\n"
                  "#pragma unroll\n"
                  "  for (int rank = 1; rank < blocks; ++rank) {\n"
                  "    const T other = *cluster.map_shared_rank(&part, rank);\n"
                  "    value = " +
                  words.combined +
                  ";\n  }\n"
                  "  cluster.sync();  // nobody ends, or writes again, before all have read\n"
                  "  return value;\n}\n\n");
  return name + "<" + std::to_string(lanes) + ", " + std::to_string(blocks) + ">(" + value + ")";
}

std::string over_column(Edits& edits, const KernelContext& context, ReductionKind kind, int lanes,
                        const std::string& value) {
  const Words words = words_of(kind);
  const std::string name = helper_name(context, std::string("column_") + words.name);
  helper_once(edits, context, name,
              "// Over the threads of a block with the same threadIdx.x.\n"
              "template <int lanes, class T>\n"
              "static __device__ __forceinline__ T " +
                  name +
                  "(T value) {\n"
                  "  __shared__ T parts[lanes][32];\n"
                  "  __syncthreads();\n"
                  "  parts[threadIdx.y][threadIdx.x] = value;\n"
                  "  __syncthreads();\n"
                  "  value = parts[0][threadIdx.x];\n"
                  "#pragma unroll\n"
                  "  for (int lane = 1; lane < lanes; ++lane) {\n"
                  "    const T other = parts[lane][threadIdx.x];\n"
                  "    value = " +
                  words.combined + ";\n  }\n  return value;\n}\n\n");
  return name + "<" + std::to_string(lanes) + ">(" + value + ")";
}

std::string prefix_over_group(Edits& edits, const KernelContext& context, int lanes, const std::string& value,
                              const std::string& total) {
  const std::string name = helper_name(context, "prefix");
  helper_once(
      edits, context, name,
      "// What comes before each of `lanes` neighbouring threads, and the total; more than a warp are a block.\n"
      "template <int lanes, class T>\n"
      "static __device__ __forceinline__ T " +
          name +
          "(T value, T& total) {\n"
          "  constexpr int width = lanes < 32 ? lanes : 32;\n"
          "  const int lane = threadIdx.x % width;\n"
          "  const unsigned members =\n"
          "      lanes < 32 ? ((1u << lanes % 32) - 1) << (threadIdx.x % 32 / lanes * lanes) : 0xffffffffu;\n"
          "#pragma unroll\n"
          "  for (int distance = 1; distance < width; distance *= 2) {\n"
          "    const T other = __shfl_up_sync(members, value, distance, width);\n"
          "    if (lane >= distance) value += other;\n"
          "  }\n"
          "  total = __shfl_sync(members, value, width - 1, width);\n"
          "  T before = __shfl_up_sync(members, value, 1, width);\n"
          "  if (lane == 0) before = 0;\n"
          "  if (lanes > 32) {\n"
          "    __shared__ T sums[(lanes + 31) / 32];\n"
          "    __syncthreads();\n"
          "    if (lane == 0) sums[threadIdx.x / 32] = total;\n"
          "    __syncthreads();\n"
          "    T start = 0;\n"
          "    total = 0;\n"
          "#pragma unroll\n"
          "    for (int warp = 0; warp < (lanes + 31) / 32; ++warp) {\n"
          "      if (warp == threadIdx.x / 32) start = total;\n"
          "      total += sums[warp];\n"
          "    }\n"
          "    before = start + before;\n"
          "  }\n"
          "  return before;\n}\n\n");
  return name + "<" + std::to_string(lanes) + ">(" + value + ", " + total + ")";
}

std::string sum_over_block(Edits& edits, const KernelContext& context, const std::string& value) {
  const std::string name = helper_name(context, "block_sum");
  helper_once(edits, context, name,
              "// Over a block; its first thread has the result.\n"
              "template <class T>\n"
              "static __device__ T " +
                  name +
                  "(T value) {\n"
                  "  __shared__ T parts[32];\n"
                  "  const unsigned threads = " +
                  threads_of_block + ";\n  const unsigned thread = " + thread_of_block +
                  ";\n"
                  "  const unsigned lane = thread % 32, left = threads - thread / 32 * 32;\n"
                  "  const unsigned members = left < 32 ? (1u << left) - 1 : 0xffffffffu;\n"
                  "#pragma unroll\n"
                  "  for (unsigned distance = 16; distance > 0; distance /= 2) {\n"
                  "    const T other = __shfl_down_sync(members, value, distance);\n"
                  "    if (lane + distance < left) value += other;\n"
                  "  }\n"
                  "  if (lane == 0) parts[thread / 32] = value;\n"
                  "  __syncthreads();\n"
                  "  if (thread == 0)\n"
                  "    for (unsigned warp = 1; warp * 32 < threads; ++warp) value += parts[warp];\n"
                  "  return value;\n}\n\n");
  return name + "(" + value + ")";
}

}  // namespace hone::frontend
