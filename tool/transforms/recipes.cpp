#include "tool/transforms/recipes.h"

#include <algorithm>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/dependences.h"
#include "tool/transforms/code/loop_distribution.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/recipe_builder.h"
#include "tool/transforms/nest_shapes.h"

namespace hone::frontend {
namespace {

// How the memory accesses under a loop move with its variable.
struct Walk {
  unsigned zero = 0, one = 0, other = 0, written_other = 0;
};

Walk walk_of(const KernelContext& context, const Loop& loop) {
  Walk walk;
  for (const Access& access : accesses_in(context.ast, loop.body)) {
    switch (access.stride(loop.variable)) {
      case Stride::zero:
        ++walk.zero;
        break;
      case Stride::one:
        ++walk.one;
        break;
      default:
        ++walk.other;
        walk.written_other += access.writes;
    }
  }
  return walk;
}

bool along_memory(const KernelContext& context, const Loop* loop) {
  if (!loop) return false;
  Walk walk = walk_of(context, *loop);
  return walk.one > 0 && walk.other == 0;
}

// A loop around others whose iterations lie side by side in memory: its tile makes vectors.
bool outer_along_memory(const KernelContext& context, const Loop* loop) {
  return loop && !loop->innermost() && along_memory(context, loop) && !iterations_meet(context.ast, *loop);
}

// An innermost loop that jumps through memory while a loop around it would run along.
bool across_memory(const KernelContext& context, const Loop* loop) {
  if (!loop || !loop->innermost() || walk_of(context, *loop).other == 0) return false;
  for (const Loop* outer = loop->parent; outer; outer = outer->parent)
    if (outer->counted && walk_of(context, *outer).one > 0) return true;
  return false;
}

bool holds_across(const KernelContext& context, const Loop* loop) {
  return loop && std::any_of(loop->children.begin(), loop->children.end(),
                             [&](const Loop* child) { return across_memory(context, child); });
}

bool innermost(const KernelContext&, const Loop* loop) {
  return loop && loop->innermost();
}

bool any_loop(const KernelContext& context, const std::function<bool(const KernelContext&, const Loop*)>& test) {
  LoopNest nest(context);
  return std::any_of(nest.loops().begin(), nest.loops().end(),
                     [&](const Loop& loop) { return loop.counted && test(context, &loop); });
}

// Recipes under construction, in order, without repetition.
class LoopRecipeBook {
 public:
  explicit LoopRecipeBook(const StateOf& state_of) : state_of_(state_of) {}

  void add(const std::function<void(RecipeBuilder&)>& steps) {
    add_where([&](RecipeBuilder& builder) { return steps(builder), true; });
  }

  // Nothing where the steps say that they do not fit.
  void add_where(const std::function<bool(RecipeBuilder&)>& steps) {
    RecipeBuilder builder(state_of_);
    if (!steps(builder)) return;
    // Threads come last: they wrap the loops that the other genes have shaped.
    Genome alone = builder.genome();
    if (builder.once("parallel")) keep(builder.genome());
    keep(alone);
  }

  std::vector<Genome> take() { return std::move(genomes_); }

 private:
  void keep(const Genome& genome) {
    if (genome.empty() || std::find(genomes_.begin(), genomes_.end(), genome) != genomes_.end()) return;
    genomes_.push_back(genome);
  }

  const StateOf& state_of_;
  std::vector<Genome> genomes_;
};

// What hardly ever hurts and lets the rest work: pointers apart, accumulators out of memory, borders out of the way.
void prepare(RecipeBuilder& builder, std::vector<int> choices = {}) {
  builder.once("member_locals");
  builder.once("restrict");
  builder.everywhere("split_index");
  while (builder.once("peel")) continue;
  builder.everywhere("unroll_full");
  builder.everywhere("promote_scalar");
  builder.everywhere("select", std::move(choices));
  builder.everywhere("reciprocal");
}

// Sweeps over time, or passes over the same arrays, while what they touch is in cache.
void in_waves(RecipeBuilder& builder, const char* move, std::vector<int> arguments) {
  builder.once("member_locals");
  builder.once("restrict");
  builder.everywhere(move, std::move(arguments));
  prepare(builder);
  builder.once("vector_math", {0});
}

// Running values, a vector at a time; the widest vectors where no width is told.
void scanned(RecipeBuilder& builder, std::vector<int> width) {
  prepare(builder);
  builder.once("vector_math", {0});
  builder.everywhere("carry");
  builder.everywhere("scan", std::move(width));
}

bool tied(const KernelContext& context, const Loop* loop) {
  return innermost(context, loop) && LoopDistribution(context.ast, *loop).unties();
}

// What hinders vectors is put into loops of its own, where running values go a vector at a time.
bool distributed(RecipeBuilder& builder) {
  prepare(builder, {1});
  builder.once("vector_math", {0});
  if (!builder.everywhere("fission", {}, tied)) return false;
  builder.everywhere("carry");
  builder.everywhere("scan");
  return true;
}

// Sums of bytes and counts, as many in a vector as their terms allow.
bool narrowed(RecipeBuilder& builder, int width) {
  prepare(builder);
  return builder.everywhere("narrow_sums", {width});
}

// Remainders once for a block; then sums of running sums in lanes and other ones in narrow types, or as they are.
bool summed_in_blocks(RecipeBuilder& builder, int widen, bool lanes) {
  builder.once("member_locals");
  builder.once("restrict");
  const bool defers = builder.everywhere("deferred_modulo", {4096, widen});
  const bool sums = lanes && builder.everywhere("sum_of_sums");
  if (!defers && !sums) return false;
  prepare(builder);
  if (lanes) builder.everywhere("narrow_sums");
  return true;
}

// Does an innermost loop read, at one place, an array that it writes along?
bool reads_fixed_place(const KernelContext& context, const Loop* loop) {
  if (!innermost(context, loop)) return false;
  const auto accesses = accesses_in(context.ast, loop->body);
  if (accesses.size() > most_compared) return false;
  const auto moves = [&](const Access& access) { return access.index && access.index->depends_on(loop->variable); };
  return std::ranges::any_of(accesses, [&](const Access& read) {
    return read.base && read.index && !read.writes && !moves(read) &&
           std::ranges::any_of(
               accesses, [&](const Access& write) { return write.writes && write.base == read.base && moves(write); });
  });
}

// Such elements are taken to be other ones than those.
bool hoisted(RecipeBuilder& builder) {
  builder.once("member_locals");
  builder.once("restrict");
  const bool hoists = builder.everywhere("hoist", {1}, reads_fixed_place);
  builder.everywhere("select");
  return hoists;
}

// Does an innermost loop of it hand values on from iteration to iteration, other than sums and extremes?
bool holds_recurrence(const KernelContext& context, const Loop& loop) {
  if (!loop.innermost())
    return std::ranges::any_of(loop.children, [&](const Loop* child) { return holds_recurrence(context, *child); });
  if (!loop.counted) return false;
  auto carried = changed_from_outside(loop);
  for (const Reduction& reduction : reductions_of(context.ast, loop))
    if (reduction.variable) carried.erase(reduction.variable);
  return !carried.empty() || reads_what_it_just_wrote(context.ast, loop);
}

// Does each array that it writes move with it, and alike wherever it is touched? Then iterations mostly have their own
// parts of it.
bool moves_alike(const KernelContext& context, const Loop& loop) {
  if (effects_of(loop.body).leaves || !changed_from_outside(loop).empty()) return false;
  const auto accesses = accesses_in(context.ast, loop.body);
  if (accesses.size() > most_compared) return false;
  return std::ranges::all_of(accesses, [&](const Access& write) {
    if (!write.writes || (write.base && declares(loop.statement, write.base))) return true;
    const auto stride = write.base && write.index ? write.index->stride(loop.variable) : std::nullopt;
    return stride && stride->as_constant() != 0 && std::ranges::all_of(accesses, [&](const Access& other) {
             return other.base &&
                    (other.base != write.base || (other.index && other.index->stride(loop.variable) == stride));
           });
  });
}

// Rows or columns, each of which hands values on along itself, as lanes of vectors.
bool side_by_side(RecipeBuilder& builder, int vectors, int rows_at_once) {
  prepare(builder);
  builder.once("vector_math", {0});
  const auto fits = [](const KernelContext& context, const Loop* loop, bool along) {
    if (!loop || loop->innermost() || loop->step != 1 || loop->in_lambda || !holds_recurrence(context, *loop))
      return false;
    return moves_alike(context, *loop) && along_memory(context, loop) == along;
  };
  const auto aim = [&](bool along) {
    return [=](const KernelContext& context, const Loop* loop) { return fits(context, loop, along); };
  };
  const bool columns = builder.everywhere("vectorise_outer", {8 * vectors}, aim(true));
  const bool rows = builder.everywhere("vectorise_outer", {rows_at_once}, aim(false));
  return columns || rows;
}

// Conditions that no processor foresees: what is appended, and choices of values.
bool without_branches(RecipeBuilder& builder) {
  const bool packs = builder.everywhere("pack");
  const bool chooses = builder.everywhere("select", {1});
  prepare(builder);
  builder.once("vector_math", {0});
  return packs || chooses;
}

// Loops that end early, a strip at a time.
bool looking_ahead(RecipeBuilder& builder, int width) {
  prepare(builder);
  builder.once("vector_math", {0});
  return builder.everywhere("early_exit", {width});
}

// Every nest of the kernel, by its own structure.
bool shaped(RecipeBuilder& builder, const NestShape& shape) {
  builder.once("member_locals");
  builder.once("restrict");
  const bool pushes = builder.everywhere("push", {}, holds_across);
  const bool turned = turn_sums_inward(builder) || pushes;
  prepare(builder);
  builder.once("vector_math", {0});
  return shape_nests(builder, shape) || turned;
}

void with_lanes(RecipeBuilder& builder, int width, int unguarded) {
  prepare(builder);
  builder.once("vector_math", {unguarded});
  builder.everywhere("lanes", {width}, innermost);
}

// For loops that the compiler vectorizes by itself once nothing stands in its way.
void unhindered(RecipeBuilder& builder, int unguarded) {
  prepare(builder);
  builder.once("vector_math", {unguarded});
}

void relaxed(RecipeBuilder& builder, int level, int unguarded) {
  prepare(builder);
  builder.once("vector_math", {unguarded});
  builder.once("fast_math", {level});
}

// A tile of the loop that runs along memory, in registers; `jam` copies of the loop around it share what is loaded. The
// tile comes first: what is left over of the loop around then still runs in tiles.
void outer_tile(RecipeBuilder& builder, int width, int jam, int unguarded) {
  prepare(builder);
  builder.once("vector_math", {unguarded});
  std::string around;
  builder.once("vectorise_outer", {width}, [&](const KernelContext& context, const Loop* loop) {
    if (!outer_along_memory(context, loop)) return false;
    const bool jams = loop->parent && loop->parent->counted && copies_keep_order(context.ast, *loop->parent);
    around = jams ? loop->parent->variable->getNameAsString() : "";
    return true;
  });
  if (jam > 1 && !around.empty()) {
    builder.once("unroll_jam", {jam}, [&](const KernelContext&, const Loop* loop) {
      return loop && loop->variable->getNameAsString() == around;
    });
    builder.once("passes", {0});
  }
}

void interchanged(RecipeBuilder& builder, int jam) {
  builder.once("member_locals");
  builder.once("restrict");
  builder.once("interchange", {}, holds_across);
  if (jam > 1) builder.once("unroll_jam", {jam});
}

// Triangles whose sums run down columns: along rows, in the order of the sums.
bool pushed(RecipeBuilder& builder) {
  builder.once("member_locals");
  builder.once("restrict");
  if (!builder.everywhere("push", {}, holds_across)) return false;
  builder.everywhere("interchange", {}, holds_across);
  return true;
}

void tiled(RecipeBuilder& builder, int outer, int inner, bool swap) {
  builder.once("member_locals");
  builder.once("restrict");
  builder.once("tile_nest", {outer, inner});
  if (swap)
    builder.once("interchange", {}, [](const KernelContext&, const Loop* loop) { return loop && loop->depth == 2; });
}

// A strip of the outer loop under each step of the inner one: what was written down columns is written along rows.
void in_strips(RecipeBuilder& builder, int width) {
  prepare(builder);
  builder.once("vectorise_outer", {width}, [](const KernelContext& context, const Loop* loop) {
    return loop && !iterations_meet(context.ast, *loop);
  });
}

// What recipes ask of the kernel as it is. Told at once: it may be let go while recipes are made.
struct Structure {
  bool borders = false, across = false, outer = false, copies = false, sweeps = false, pipelines = false;
  bool runs = false;  // values that each iteration hands on
  int barest = 0;     // the arguments of vector_math go up to it
  int wide = 4;       // rows side by side

  explicit Structure(const KernelContext& original);
};

Structure::Structure(const KernelContext& original)
    : borders(is_applicable(original, "split_index")),
      across(any_loop(original, across_memory)),
      outer(any_loop(original, outer_along_memory)),
      copies(across && !is_applicable(original, "lanes") && !is_applicable(original, "promote_scalar")),
      sweeps(is_applicable(original, "skew")),
      pipelines(is_applicable(original, "pipeline")),
      runs(is_applicable(original, "scan") || is_applicable(original, "carry")) {
  // Square roots, exponentials and logarithms can do without their guards.
  if (is_applicable(original, "vector_math") &&
      find_transformation("vector_math")->argument_choices(original, 0).front().size() > 1)
    barest = 1;
  if (original.ast.getTargetInfo().hasFeature("avx512f")) wide = 8;  // twice the registers
}

void by_structure(LoopRecipeBook& book, const Structure& original) {
  const auto [borders, across, outer, copies, sweeps, pipelines, runs, barest, wide] = original;
  if (sweeps) {
    book.add([](RecipeBuilder& builder) { in_waves(builder, "skew", {4}); });
    book.add([](RecipeBuilder& builder) { in_waves(builder, "skew", {2}); });
    book.add([](RecipeBuilder& builder) { in_waves(builder, "skew", {16}); });
  }
  if (runs) {
    book.add([](RecipeBuilder& builder) { scanned(builder, {}); });
    book.add([](RecipeBuilder& builder) { scanned(builder, {4}); });
  }
  for (const int widen : {0, 1})
    for (const bool lanes : {true, false})
      book.add_where([=](RecipeBuilder& builder) { return summed_in_blocks(builder, widen, lanes); });
  for (int width : {128, 64}) book.add_where([=](RecipeBuilder& builder) { return narrowed(builder, width); });
  book.add_where(distributed);
  for (int width : {32, 128}) book.add_where([=](RecipeBuilder& builder) { return looking_ahead(builder, width); });
  book.add_where(without_branches);
  if (borders) book.add([](RecipeBuilder& builder) { prepare(builder); });
  book.add_where(pushed);
  for (const NestShape shape : {NestShape{wide, 4, false}, {wide, 4, true}, {4, 1, false}, {8, 1, false}})
    book.add_where([=](RecipeBuilder& builder) { return shaped(builder, shape); });
  book.add_where(hoisted);
  for (auto [vectors, rows] : {std::pair{4, 8}, {1, 8}, {4, 32}})
    book.add_where([=](RecipeBuilder& builder) { return side_by_side(builder, vectors, rows); });
  if (!sweeps && pipelines) book.add([](RecipeBuilder& builder) { in_waves(builder, "pipeline", {}); });
  if (copies) {
    for (int width : {64, 32, 16}) book.add([=](RecipeBuilder& builder) { in_strips(builder, width); });
    for (auto [rows, columns] : {std::pair{16, 16}, {32, 32}, {16, 64}, {64, 64}}) {
      book.add([=](RecipeBuilder& builder) { tiled(builder, rows, columns, true); });
      book.add([=](RecipeBuilder& builder) { tiled(builder, rows, columns, false); });
    }
  }
  if (outer) {
    for (int unguarded = 0; unguarded <= barest; ++unguarded) {
      book.add([=](RecipeBuilder& builder) { outer_tile(builder, 64, 4, unguarded); });
      book.add([=](RecipeBuilder& builder) { outer_tile(builder, 32, 8, unguarded); });
      book.add([=](RecipeBuilder& builder) { outer_tile(builder, 32, 4, unguarded); });
      book.add([=](RecipeBuilder& builder) { outer_tile(builder, 32, 1, unguarded); });
    }
  }
  if (across) {
    book.add([](RecipeBuilder& builder) { interchanged(builder, 1); });
    book.add([](RecipeBuilder& builder) { interchanged(builder, 4); });
    book.add([](RecipeBuilder& builder) { interchanged(builder, 8); });
  }
  book.add([](RecipeBuilder& builder) { with_lanes(builder, 32, 0); });
  book.add([](RecipeBuilder& builder) { relaxed(builder, 1, 0); });
  book.add([](RecipeBuilder& builder) { relaxed(builder, 0, 0); });
  book.add([](RecipeBuilder& builder) { with_lanes(builder, 64, 0); });
  if (barest) {
    book.add([](RecipeBuilder& builder) { with_lanes(builder, 32, 1); });
    book.add([](RecipeBuilder& builder) { relaxed(builder, 1, 1); });
    book.add([](RecipeBuilder& builder) { unhindered(builder, 1); });
    book.add([](RecipeBuilder& builder) { relaxed(builder, 2, 1); });
  }
  book.add([](RecipeBuilder& builder) { relaxed(builder, 3, 0); });
  book.add([](RecipeBuilder& builder) { unhindered(builder, 0); });
  book.add([](RecipeBuilder& builder) {
    builder.once("member_locals");
    builder.once("restrict");
  });
  book.add([](RecipeBuilder& builder) { builder.once("isa", {256}); });
}

}  // namespace

std::vector<Genome> recipes(const StateOf& state_of) {
  Genome none;
  LoopRecipeBook book(state_of);
  by_structure(book, Structure(state_of(none).front()));
  return book.take();
}

}  // namespace hone::frontend
