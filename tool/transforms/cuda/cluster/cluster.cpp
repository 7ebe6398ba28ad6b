// Several blocks for each item of a kernel that has one block an item, where items are too few to fill a device: a
// cluster, whose blocks share the strided loops and read what each other's trees came to in shared memory.
#include <algorithm>
#include <bit>

#include "tool/frontend/parse/source_tokens.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/cluster/block_per_item.h"
#include "tool/transforms/cuda/group_reduction.h"

namespace hone::frontend {
namespace {

class Cluster final : public Transformation {
 public:
  std::string_view name() const override { return "cluster"; }

  unsigned sites(const KernelContext& context) const override {
    return has_clusters(context.spec) && block_per_item_of(context) ? 1 : 0;
  }

  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override { return {{8, 4, 2}}; }

  std::optional<std::string> apply(const KernelContext& context, unsigned,
                                   const std::vector<int>& arguments) const override {
    const auto kernel = has_clusters(context.spec) ? block_per_item_of(context) : std::nullopt;
    if (!kernel) return std::nullopt;
    const int blocks = static_cast<int>(std::bit_floor(
        static_cast<unsigned>(argument(arguments, 0, most_blocks_of_cluster, 2, most_blocks_of_cluster))));
    const std::string count = std::to_string(blocks), rank = "blockIdx.x % " + count;
    Edits edits(context);
    for (const TextRange& block : blocks_named(context)) edits.replace(block, "(blockIdx.x / " + count + ")");
    for (const StridedLoop& each : kernel->loops) {
      edits.insert_after(each.first, " + " + rank + " * blockDim.x");
      edits.insert_after(each.stride, " * " + count);
    }
    for (const clang::IfStmt* branch : kernel->written_by_one)
      edits.insert_after(branch->getCond(), " && " + rank + " == 0");
    if (kernel->loops_write)
      for (const clang::Stmt* barrier : kernel->barriers) edits.replace(barrier, barrier_of_cluster);
    for (const SharedTree& tree : kernel->trees) {
      const auto combined = over_blocks(context, tree, count);
      if (!combined) return std::nullopt;
      edits.insert_after(tree.loop, "\n" + *combined);
    }
    launch_clusters(edits, context, kernel->launch, kernel->launch.grid, blocks);
    return edits.candidate();
  }

 private:
  // Each blockIdx.x in the kernel's body.
  static std::vector<TextRange> blocks_named(const KernelContext& context) {
    std::vector<TextRange> found;
    const auto body = range_of(context.ast, context.kernel->getBody());
    const auto& sources = context.sources();
    const SourceTokens tokens(std::string_view(sources.getBufferData(sources.getMainFileID())),
                              context.ast.getLangOpts());
    for (std::size_t at = body ? tokens.at_or_after(body->begin) : tokens.size();
         at + 2 < tokens.size() && tokens[at].begin < body->end; ++at)
      if (tokens.is(at, "blockIdx") && tokens.is(at + 1, ".")) found.push_back({tokens[at].begin, tokens[at + 2].end});
    return found;
  }

  // Every block adds up what the blocks' trees came to, in the same order, and has it where its own stood.
  static std::optional<std::string> over_blocks(const KernelContext& context, const SharedTree& tree,
                                                const std::string& blocks) {
    const std::string cluster = fresh_name(context, tree_cluster_stem), rank = fresh_name(context, "tree_rank");
    std::vector<std::string> values, others;
    std::string declared, first, next, last;
    for (const TreeArray& each : tree.arrays) {
      const std::string array = each.array->getNameAsString(), type = plain_type(context.ast, each.type);
      if (type.empty()) return std::nullopt;
      values.push_back(fresh_name(context, array + "_of_all"));
      others.push_back(fresh_name(context, array + "_of_one"));
      const auto element = [&](const std::string& number) {
        return "*" + cluster + ".map_shared_rank(&" + array + "[0], " + number + ")";
      };
      declared += type + " " + values.back() + " = 0;\n";
      first += values.back() + " = " + element("0") + ";\n";
      next += type + " " + others.back() + " = " + element(rank) + ";\n";
      last += array + "[0] = " + values.back() + ";\n";
    }
    const auto update = update_on(context, tree, values, others);
    if (!update) return std::nullopt;
    const std::string wait = cluster + ".sync();\n", by_one = "if (" + tree.thread + " == 0) ";
    return "{\nconst auto " + cluster + " = cooperative_groups::this_cluster();\n" + declared + wait + by_one +
           braces(first + "for (unsigned " + rank + " = 1; " + rank + " < " + blocks + "; ++" + rank + ") " +
                  braces(next + *update)) +
           "\n" + wait + by_one + braces(last) + "\n__syncthreads();\n}";
  }
};

}  // namespace

std::unique_ptr<Transformation> make_cluster() {
  return std::make_unique<Cluster>();
}

}  // namespace hone::frontend
