// A prefix sum over an array by the whole device in place of one thread or one block: sums of tiles, what lies in front
// of each tile, then the tiles, each by a block. The sums stand in the first element of each tile of the result in
// between, so that no other memory is needed. Where they cannot stand there (the result is of another type, or is read
// too), one large block goes through the tiles, and carries the sum from one to the next.
#include <set>

#include "tool/transforms/code/launch_arguments.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/array_scan.h"
#include "tool/transforms/cuda/device_text.h"
#include "tool/transforms/cuda/group_reduction.h"
#include "tool/transforms/cuda/own_kernels.h"

namespace hone::frontend {
namespace {

constexpr int sums_block = 1024;

// The launch's own words, for launches of other kernels on the same arguments.
struct LaunchWords {
  std::string arguments, stream, count;  // `count`: in the launcher's words
};

std::optional<LaunchWords> words_of(const KernelContext& context, const Launch& launch, const ArrayScan& scan) {
  const Substitution plain(context.ast);
  LaunchWords words;
  Substitution handed(context.ast);
  for (unsigned i = 0; i < launch.call->getNumArgs(); ++i) {
    const clang::Expr* argument = launch.call->getArg(i);
    if (llvm::isa<clang::CXXDefaultArgExpr>(argument)) return std::nullopt;
    const auto range = range_of(context.ast, argument->getSourceRange());
    if (!range) return std::nullopt;
    const std::string text = plain.text(*range);
    words.arguments += (i > 0 ? ", " : "") + text;
    for (const auto* reference : all_of<clang::DeclRefExpr>(scan.count))
      if (reference->getDecl() == context.kernel->getParamDecl(i))
        handed.replace(range_of(context.ast, reference->getSourceRange()), "(" + text + ")");
  }
  for (const auto* reference : all_of<clang::DeclRefExpr>(scan.count)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable && variable->isLocalVarDecl()) return std::nullopt;
  }
  words.count = handed.text(scan.count) + (scan.inclusive_count ? " + 1" : "");
  const auto* config = launch.call->getConfig();
  if (config->getNumArgs() > 3 && !llvm::isa<clang::CXXDefaultArgExpr>(config->getArg(3)->IgnoreImplicit())) {
    const auto range = range_of(context.ast, config->getArg(3)->getSourceRange());
    if (!range) return std::nullopt;
    words.stream = ", 0, " + plain.text(*range);
  }
  return handed.spoiled() ? std::nullopt : std::optional(words);
}

// Can an element of the result hold a sum for a while? Nothing else looks at the array, under whatever name.
bool holds_sums(const KernelContext& context, const Launch& launch, const ArrayScan& scan) {
  if (!scan.written || plain_type(context.ast, scan.written->getType().getCanonicalType()) != scan.type) return false;
  const clang::ParmVarDecl* array = nullptr;
  for (const auto* reference : all_of<clang::DeclRefExpr>(scan.written))
    if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(reference->getDecl());
        parameter && parameter->getType()->isPointerType()) {
      if (array) return false;
      array = parameter;
    }
  const Parameter* annotated = array ? annotated_parameter(context, array) : nullptr;
  if (!annotated || annotated->alias_group != -1) return false;
  std::size_t touched = 0;
  for (const auto* reference : all_of<clang::DeclRefExpr>(context.kernel->getBody()))
    touched += reference->getDecl() == array;
  for (unsigned i = 0; i < launch.call->getNumArgs(); ++i) {
    const clang::ParmVarDecl* other = context.kernel->getParamDecl(i);
    if (other == array || !other->getType()->isPointerType()) continue;
    const Parameter* also = annotated_parameter(context, other);
    if (!also || also == annotated) return false;
  }
  return touched == 1;
}

class ScanWriter {
 public:
  ScanWriter(const KernelContext& context, Edits& edits, const ArrayScan& scan, int each, int block)
      : context_(context), edits_(edits), scan_(scan), each_(std::to_string(each)), block_(block) {
    tile_ = std::to_string(each * block);
    const auto parameters = context.kernel->parameters();
    if (const auto range = parameters.empty()
                               ? std::nullopt
                               : range_of(context.ast, clang::SourceRange(parameters.front()->getBeginLoc(),
                                                                          parameters.back()->getEndLoc())))
      parameters_ = Substitution(context.ast).text(*range);
  }

  // Three kernels, and their launches.
  std::string by_tiles(const LaunchWords& words) {
    const std::string sums = helper_name(context_, "tile_sums"), fronts = helper_name(context_, "tile_fronts"),
                      tiles = helper_name(context_, "tiles");
    const std::string written = scan_.written_text;
    std::string text = kernel(sums, block_);
    text += tile_count() + first_of_tile("blockIdx.x") + scan_.type + " @total = 0;\n" +
            rounds("const long long @at = @first + @round * " + std::to_string(block_) + " + threadIdx.x;\n" +
                   inside(scan_.type + " " + scan_.own + ";\n" + scan_.increment + "@total += " + scan_.own + ";\n")) +
            "@total = " + sum_over_block(edits_, context_, "@total") + ";\nif (threadIdx.x == 0) {\n" +
            index_at("@first") + written + " = @total;\n}\n}\n\n";
    text += kernel(fronts, sums_block);
    text += tile_count() + scan_.type + " @carried = " + scan_.initial + ";\n" +
            "for (long long @start = 0; @start < @tiles; @start += " + std::to_string(sums_block) +
            ") {\nconst long long @first = (@start + threadIdx.x) * " + tile_ + ";\n" + scan_.type +
            " @sum_of_tile = 0, @total;\n" + index_at("@first") + "if (@first < @count) @sum_of_tile = " + written +
            ";\nconst " + scan_.type +
            " @front = " + prefix_over_group(edits_, context_, sums_block, "@sum_of_tile", "@total") +
            ";\nif (@first < @count) " + written + " = @carried + @front;\n@carried += @total;\n}\n}\n\n";
    text += kernel(tiles, block_);
    text += tile_count() + first_of_tile("blockIdx.x") + scan_.type + " @carried;\n{\n" + index_at("@first") +
            "@carried = " + written + ";\n}\n" + one_tile() + "}\n\n";
    launches_ = "{\nconst long long @tiles = (static_cast<long long>(" + words.count + ") + " + tile_ + " - 1) / " +
                tile_ + ";\nif (@tiles > 0) {\n" + launch(sums, "static_cast<unsigned>(@tiles)", block_, words) +
                launch(fronts, "1", sums_block, words) + launch(tiles, "static_cast<unsigned>(@tiles)", block_, words) +
                "}\n}";
    return text;
  }

  // One kernel of one block.
  std::string by_one_block(const LaunchWords& words) {
    const std::string name = helper_name(context_, "by_tiles");
    std::string text = kernel(name, block_);
    text += tile_count() + scan_.type + " @carried = " + scan_.initial +
            ";\nfor (long long @tile = 0; @tile < @tiles; ++@tile) {\n" + first_of_tile("@tile") + one_tile() +
            "}\n}\n\n";
    launches_ = launch(name, "1", block_, words);
    return text;
  }

  const std::string& launches() const { return launches_; }

  // Text of this class with a name that nothing else has for each @name.
  std::string spelled(const std::string& text) const {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at + 1;
      if (text[at] == '@') {
        while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) ++end;
        result += fresh_name(context_, text.substr(at + 1, end - at - 1));
      } else {
        result += text[at];
      }
      at = end;
    }
    return result;
  }

 private:
  std::string kernel(const std::string& name, int block) const {
    return "static __global__ void __launch_bounds__(" + std::to_string(block) + ") " + name + "(" + parameters_ +
           ") {\n" + scan_.before;
  }

  static std::string launch(const std::string& name, const std::string& grid, int block, const LaunchWords& words) {
    return name + "<<<" + grid + ", " + std::to_string(block) + words.stream + ">>>(" + words.arguments + ");\n";
  }

  std::string tile_count() const {
    return "const long long @count = " + text_of(context_.ast, scan_.count) + (scan_.inclusive_count ? " + 1" : "") +
           ", @tiles = (@count + " + tile_ + " - 1) / " + tile_ + ";\n";
  }
  std::string first_of_tile(const std::string& tile) const {
    return "const long long @first = static_cast<long long>(" + tile + ") * " + tile_ + ";\n";
  }
  std::string index_at(const std::string& place) const {
    return "const " + scan_.index_type + " " + scan_.index + " = static_cast<" + scan_.index_type + ">(" + place +
           ");\n";
  }
  std::string inside(const std::string& statements) const {
    return "if (@at < @count) " + braces(index_at("@at") + statements) + "\n";
  }
  std::string rounds(const std::string& statements) const {
    return "#pragma unroll\nfor (int @round = 0; @round < " + each_ + "; ++@round) " + braces(statements) + "\n";
  }

  // The tile that begins at `first`, behind what is `carried`: a run of neighbors for each warp, which loads them in
  // rounds and goes through them again in the same rounds. `carried` is then what lies in front of the next tile.
  std::string one_tile() {
    const std::string at =
        "const long long @at = @first + threadIdx.x / 32 * (32 * " + each_ + ") + @round * 32 + threadIdx.x % 32;\n";
    const std::string own = "@owns[@round]";
    std::string text = scan_.type + " @owns[" + each_ + "], @mine = 0, @of_tile, @all;\n";
    text += rounds(at + own + " = 0;\n" +
                   inside(scan_.type + " " + scan_.own + ";\n" + scan_.increment + own + " = " + scan_.own + ";\n") +
                   "@mine += " + own + ";\n");
    text += scan_.type + " @running_sum = @carried + " + front_of_warp() + ";\n";
    text += rounds(at + "const " + scan_.type + " @front = " + prefix_over_group(edits_, context_, 32, own, "@all") +
                   ";\n" +
                   inside("const " + scan_.type + " " + scan_.own + " = " + own + ";\n" + scan_.type + " " + scan_.sum +
                          " = @running_sum + @front;\n" + scan_.body) +
                   "@running_sum += @all;\n");
    return text + "@carried += @of_tile;\n";
  }

  // What the block's warps in front of this one add; `of_tile` is what all of them do. All of them have loaded by then.
  std::string front_of_warp() {
    const std::string name = helper_name(context_, "warp_front"), warps = std::to_string(block_ / 32);
    helper_once(edits_, context_, name,
                "// What the warps of a block in front of a thread's own add up to, and the total.\n"
                "template <int warps, class T>\n"
                "static __device__ __forceinline__ T " +
                    name +
                    "(T value, T& total) {\n"
                    "  __shared__ T sums[warps];\n"
                    "#pragma unroll\n"
                    "  for (int distance = 16; distance > 0; distance /= 2)\n"
                    "    value += __shfl_xor_sync(0xffffffffu, value, distance);\n"
                    "  __syncthreads();\n"
                    "  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;\n"
                    "  __syncthreads();\n"
                    "  T front = 0;\n"
                    "  total = 0;\n"
                    "#pragma unroll\n"
                    "  for (int warp = 0; warp < warps; ++warp) {\n"
                    "    if (warp == threadIdx.x / 32) front = total;\n"
                    "    total += sums[warp];\n"
                    "  }\n"
                    "  return front;\n}\n\n");
    return name + "<" + warps + ">(@mine, @of_tile)";
  }

  const KernelContext& context_;
  Edits& edits_;
  const ArrayScan& scan_;
  std::string each_, tile_, parameters_, launches_;
  int block_;
};

class TiledScan final : public Transformation {
 public:
  std::string_view name() const override { return "tiled_scan"; }

  unsigned sites(const KernelContext& context) const override { return array_scan_of(context) ? 1 : 0; }

  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{8, 4, 16}, {256, 512, 128, 1024}};
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned,
                                   const std::vector<int>& arguments) const override {
    const auto scan = array_scan_of(context);
    const auto launch = launch_of(context);
    if (!scan || !launch) return std::nullopt;
    const auto words = words_of(context, *launch, *scan);
    const auto whole = definition_range(context, context.kernel);
    if (!words || !whole) return std::nullopt;
    const int each = argument(arguments, 0, 8, 1, 32), warps = argument(arguments, 1, 256, 32, 1024) / 32;
    Edits edits(context);
    const bool tiles = holds_sums(context, *launch, *scan);
    ScanWriter writer(context, edits, *scan, each, tiles ? warps * 32 : sums_block);
    edits.replace(*whole, writer.spelled(tiles ? writer.by_tiles(*words) : writer.by_one_block(*words)));
    edits.replace(launch->call, writer.spelled(writer.launches()));
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_tiled_scan() {
  return std::make_unique<TiledScan>();
}

}  // namespace hone::frontend
