// Strip-mines loops and moves the loops over strips outwards, so that what a tile touches stays in cache.
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"

namespace hone::frontend {
namespace {

std::string smaller(const std::string& left, const std::string& right) {
  return "(" + left + " < " + right + " ? " + left + " : " + right + ")";
}

// for (T v_tile = lo; v_tile < hi; v_tile += size)
std::string tiles_header(const Loop& loop, const std::string& tile, int size) {
  return "for (" + loop.type + " " + tile + " = " + loop.lower_text + "; " + tile + " < " + loop.upper_text + "; " +
         tile + " += " + std::to_string(size * loop.step) + ") ";
}

// The iterations of one tile; `hi - tile` cannot overflow where tile + size might.
std::string within_header(const Loop& loop, const std::string& tile, int size) {
  std::string end = smaller("(" + tile + " + " + std::to_string(size * loop.step) + ")", loop.upper_text);
  return header(loop, tile, end);
}

// One loop's strips outside of the loop around it.
class Tile final : public LoopTransformation {
 public:
  std::string_view name() const override { return "tile"; }
  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{64, 16, 32, 128, 256, 512}};
  }

 protected:
  bool fits(const KernelContext&, LoopNest&, const Loop& loop) const override {
    return loop.parent && loop.parent->counted && loop.parent->only_child() == &loop;
  }
  std::optional<TextRange> range(const KernelContext& context, LoopNest&, const Loop& loop) const override {
    return range_with_pragmas(context.ast, loop.parent->statement);
  }
  std::optional<std::string> rewritten(const KernelContext& context, LoopNest&, const Loop& loop,
                                       const std::vector<int>& arguments) const override {
    const Loop& around = *loop.parent;
    if (mentions(loop.lower, around.variable) || mentions(loop.upper, around.variable)) return std::nullopt;
    int size = argument(arguments, 0, 64, 2, 1 << 20);
    std::string tile = fresh_name(context, loop.variable->getNameAsString() + "_tile");
    std::string body = text_of(context.ast, loop.body);
    if (body.empty()) return std::nullopt;
    return tiles_header(loop, tile, size) + "\n" + header(around) + "\n" + within_header(loop, tile, size) + body;
  }
};

// Two loops, perfectly nested: for i_tile for j_tile for i for j.
class TileNest final : public LoopTransformation {
 public:
  std::string_view name() const override { return "tile_nest"; }
  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{32, 8, 16, 64, 128}, {32, 8, 16, 64, 128, 256}};
  }

 protected:
  bool fits(const KernelContext&, LoopNest&, const Loop& loop) const override { return loop.only_child() != nullptr; }
  std::optional<std::string> rewritten(const KernelContext& context, LoopNest&, const Loop& outer,
                                       const std::vector<int>& arguments) const override {
    const Loop& inner = *outer.only_child();
    if (mentions(inner.lower, outer.variable) || mentions(inner.upper, outer.variable)) return std::nullopt;
    int rows = argument(arguments, 0, 32, 2, 1 << 20), columns = argument(arguments, 1, 32, 2, 1 << 20);
    std::string row_tile = fresh_name(context, outer.variable->getNameAsString() + "_tile");
    std::string column_tile = fresh_name(context, inner.variable->getNameAsString() + "_tile");
    std::string body = text_of(context.ast, inner.body);
    if (body.empty() || row_tile == column_tile) return std::nullopt;
    return tiles_header(outer, row_tile, rows) + "\n" + tiles_header(inner, column_tile, columns) + "\n" +
           within_header(outer, row_tile, rows) + "\n" + within_header(inner, column_tile, columns) + body;
  }
};

}  // namespace

std::unique_ptr<Transformation> make_tile() {
  return std::make_unique<Tile>();
}
std::unique_ptr<Transformation> make_tile_nest() {
  return std::make_unique<TileNest>();
}

}  // namespace hone::frontend
