// A block's reduction in shared memory goes by shuffles within warps and one shared slot for each warp: two barriers in
// place of one for each halving. Its result stands where it stood, in the array's first element.
//
// Where the number of threads is known and suits, that is all; else the device asks, and has the loop as it was for
// other blocks. Sums are added in another order, unless the order is to be kept: then only the last five halvings, all
// within a warp, are shuffles. A tree that begins with neighbors keeps its order always.
#include <algorithm>
#include <bit>

#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/block_words.h"
#include "tool/transforms/cuda/device_text.h"
#include "tool/transforms/cuda/shared_tree.h"

namespace hone::frontend {
namespace {

constexpr const char* all_lanes = "0xffffffffu";

// Writes one tree anew.
class ShuffleWriter {
 public:
  ShuffleWriter(const KernelContext& context, const SharedTree& tree, bool in_order)
      : context_(context), tree_(tree), in_order_(in_order && !tree.growing) {
    span_ = fresh_name(context, tree_span_stem);
    lanes_ = fresh_name(context, "tree_lanes");
    const std::string found = tree.thread;
    thread_ = "static_cast<unsigned>(" + found + ")";
    for (const TreeArray& each : tree.arrays) {
      const std::string name = each.array->getNameAsString();
      parts_.push_back(fresh_name(context, name + "_parts"));
      values_.push_back(fresh_name(context, name + "_value"));
      others_.push_back(fresh_name(context, name + "_other"));
      types_.push_back(plain_type(context.ast, each.type));
    }
  }

  std::optional<std::string> write() {
    const Substitution plain(context_.ast);
    const auto block = threads_along_x(context_);
    const auto span = tree_.span ? value_for_block(context_.ast, tree_.span, block) : std::nullopt;
    const bool suits = span && block && is_power(*span) && *span <= *block && *block >= 32;
    if (span && block && !suits) return std::nullopt;
    const std::string shuffled = in_order_ ? in_order() : by_parts();
    for (const std::string& type : types_)
      if (type.empty()) return std::nullopt;
    std::string text = "{\n";
    if (tree_.waits_first) text += "__syncthreads();\n";
    text += "const unsigned " + span_ + " = " + (suits ? std::to_string(*span) : tree_.span_text) + ";\n";
    if (suits)
      text += shuffled;
    else
      text += "if (" + span_ + " != 0 && (" + span_ + " & (" + span_ + " - 1)) == 0 && " + span_ +
              " <= blockDim.x && blockDim.x >= 32 && blockDim.y * blockDim.z == 1) " + braces(shuffled) + " else " +
              braces(plain.text(tree_.loop));
    text += "\n}";
    if (plain.spoiled() || spoiled_) return std::nullopt;
    return text;
  }

 private:
  static bool is_power(long long value) { return value > 0 && std::has_single_bit(static_cast<unsigned>(value)); }

  // The update on this thread's values and those of another.
  std::string update() {
    const auto text = update_on(context_, tree_, values_, others_);
    spoiled_ |= !text;
    return text.value_or("") + "\n";
  }

  // Line by line, with the array's name, values and others put in for $s, $v, $o, $p and $t.
  std::string for_each_array(const std::string& line) const {
    std::string text;
    for (std::size_t i = 0; i < tree_.arrays.size(); ++i)
      for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] != '$') {
          text += line[at];
          continue;
        }
        const char part = line[++at];
        text += part == 's'   ? tree_.arrays[i].array->getNameAsString()
                : part == 'v' ? values_[i]
                : part == 'o' ? others_[i]
                : part == 'p' ? parts_[i]
                              : types_[i];
      }
    return text;
  }

  std::string shuffles(const std::string& header) {
    return "for (unsigned " + lanes_ + " = " + header + ") {\n" +
           for_each_array("$o = __shfl_down_sync(" + std::string(all_lanes) + ", $v, " + lanes_ + ");\n") + update() +
           "}\n";
  }

  // Warps first, one slot for each, and the first warp over the slots.
  std::string by_parts() {
    std::string text = for_each_array("__shared__ $t $p[32];\n$t $v = 0, $o = 0;\n");
    const std::string below = "if (" + thread_ + " < " + span_ + ") ";
    if (tree_.growing)
      text += below + braces(for_each_array("$v = $s[" + tree_.thread + "];\n"));
    else
      text +=
          below +
          braces(for_each_array("$v = $s[" + tree_.thread + "];\n$o = $s[" + tree_.thread + " + " + span_ + "];\n") +
                 update());
    const bool up = tree_.growing;
    const std::string rest = "; " + lanes_ + " > 0; " + lanes_ + " /= 2", half = span_ + " / 2";
    text += "\nif (" + thread_ + " / 32 * 32 < " + span_ + ") ";
    text += braces(shuffles(up ? "1; " + lanes_ + " < 32 && " + lanes_ + " < " + span_ + "; " + lanes_ + " *= 2"
                               : span_ + " < 32 ? " + half + " : 16" + rest));
    text += "\nif (" + thread_ + " % 32 == 0 && " + thread_ + " < " + span_ + ") " +
            braces(for_each_array("$p[" + thread_ + " / 32] = $v;\n"));
    text += "\n__syncthreads();\nif (" + thread_ + " < 32) {\n";
    text += for_each_array("$v = $p[" + span_ + " > 32 ? " + thread_ + " % (" + span_ + " / 32) : 0];\n");
    text += shuffles(up ? "1; " + lanes_ + " < " + span_ + " / 32; " + lanes_ + " *= 2" : span_ + " / 64" + rest);
    return text + end();
  }

  // As it was down to a warp's width.
  std::string in_order() {
    const std::string distance = tree_.distance->getNameAsString();
    Substitution plain(context_.ast);
    std::string text = "for (unsigned " + distance + " = " + span_ + "; " + distance + " >= 32; " + distance +
                       " /= 2) {\nif (" + thread_ + " < " + distance + ") " + braces(plain.text(tree_.update)) +
                       "\n__syncthreads();\n}\n";
    spoiled_ |= plain.spoiled();
    text += "if (" + thread_ + " < 32) {\n" + for_each_array("$t $v = 0, $o = 0;\n");
    text +=
        "if (" + thread_ + " < 2 * " + span_ + ") " + braces(for_each_array("$v = $s[" + tree_.thread + "];\n")) + "\n";
    text += shuffles(span_ + " < 16 ? " + span_ + " : 16; " + lanes_ + " > 0; " + lanes_ + " /= 2");
    return text + end();
  }

  std::string end() const {
    std::string text =
        "if (" + thread_ + " == 0) " + braces(for_each_array("$s[0] = $v;\n")) + "\n}\n__syncthreads();\n";
    if (tree_.keeps_distance) text += tree_.distance->getNameAsString() + " = 0;\n";
    return text;
  }

  const KernelContext& context_;
  const SharedTree& tree_;
  bool in_order_, spoiled_ = false;
  std::string span_, lanes_, thread_;
  std::vector<std::string> parts_, values_, others_, types_;
};

// Was it kept for the blocks that shuffles do not suit?
bool is_spare(const KernelContext& context, const SharedTree& tree) {
  const auto range = range_of(context.ast, tree.loop);
  const auto blocks = all_of<clang::CompoundStmt>(context.kernel->getBody());
  return std::ranges::any_of(blocks, [&](const clang::CompoundStmt* block) {
    const auto around = range_of(context.ast, block);
    return range && around && around->contains(*range) && is_shuffled_tree(block);
  });
}

std::vector<SharedTree> open_trees(const KernelContext& context) {
  auto trees = shared_trees(context);
  std::erase_if(trees, [&](const SharedTree& tree) { return is_spare(context, tree); });
  return trees;
}

class WarpShuffles final : public Transformation {
 public:
  std::string_view name() const override { return "warp_shuffles"; }

  unsigned sites(const KernelContext& context) const override {
    return static_cast<unsigned>(open_trees(context).size());
  }

  const clang::Stmt* place(const KernelContext& context, unsigned site) const override {
    const auto trees = open_trees(context);
    return site < trees.size() ? trees[site].loop : nullptr;
  }

  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override { return {{0, 1}}; }

  std::optional<std::string> apply(const KernelContext& context, unsigned site,
                                   const std::vector<int>& arguments) const override {
    const auto trees = open_trees(context);
    if (site >= trees.size()) return std::nullopt;
    const auto text = ShuffleWriter(context, trees[site], argument(arguments, 0, 0, 0, 1) == 1).write();
    if (!text) return std::nullopt;
    Edits edits(context);
    edits.replace(range_with_pragmas(context.ast, trees[site].loop), *text);
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_warp_shuffles() {
  return std::make_unique<WarpShuffles>();
}

}  // namespace hone::frontend
