#include "tool/transforms/nest_shapes.h"

#include <algorithm>
#include <set>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/clause_values.h"
#include "tool/transforms/code/dependences.h"
#include "tool/transforms/code/reduction_text.h"

namespace hone::frontend {
namespace {

// Bytes of the vectors that compilers choose for the target by themselves.
int vector_bytes(const KernelContext& context) {
  return context.ast.getTargetInfo().hasFeature("avx") ? 32 : 16;
}

int bytes_of(const KernelContext& context, clang::QualType type) {
  return static_cast<int>(context.ast.getTypeSizeInChars(type).getQuantity());
}

std::vector<const Loop*> innermost_in(const Loop& loop) {
  if (loop.innermost()) return {&loop};
  std::vector<const Loop*> found;
  for (const Loop* child : loop.children)
    for (const Loop* inner : innermost_in(*child)) found.push_back(inner);
  return found;
}

bool bounds_mention(const Loop& loop, const clang::VarDecl* variable) {
  return mentions(loop.lower, variable) || mentions(loop.upper, variable);
}

// Bytes of the largest element that the loop reaches along memory by `variable`; 0: there is none, or the innermost
// loops jump with it.
int along_memory(const KernelContext& context, const Loop& loop, const clang::VarDecl* variable) {
  for (const Loop* inner : innermost_in(loop))
    for (const Access& access : accesses_in(context.ast, inner->body))
      if (access.stride(variable) == Stride::other || access.stride(variable) == Stride::unknown) return 0;
  int bytes = 0;
  for (const Access& access : accesses_in(context.ast, loop.body))
    if (access.stride(variable) == Stride::one)
      bytes = std::max(bytes, bytes_of(context, access.expression->getType()));
  return bytes;
}

// The loops inside are the same for each iteration, at any depth.
bool runs_once(const Loop& loop, const clang::VarDecl* variable) {
  return std::all_of(loop.children.begin(), loop.children.end(), [&](const Loop* child) {
    return child->counted && !bounds_mention(*child, variable) && runs_once(*child, variable);
  });
}

// A tile of the loop makes vectors, and the loops inside run once for all of it.
int tile_bytes(const KernelContext& context, const Loop* loop) {
  if (!loop || loop->innermost() || iterations_meet(context.ast, *loop)) return 0;
  return runs_once(*loop, loop->variable) ? along_memory(context, *loop, loop->variable) : 0;
}

bool may_jam(const KernelContext& context, const Loop& loop, const NestShape& shape) {
  return copies_keep_order(context.ast, loop) || (shape.bold && !iterations_meet(context.ast, loop));
}

std::string name_of(const Loop& loop) {
  return loop.variable->getNameAsString();
}

// What triangle() of unroll_jam leaves of a triangle's corner: a few iterations, whose bound is chosen as they run.
bool corner(const Loop& loop) {
  return llvm::isa<clang::ConditionalOperator>(loop.lower->IgnoreParenImpCasts()) ||
         llvm::isa<clang::ConditionalOperator>(loop.upper->IgnoreParenImpCasts());
}

// Rows of a triangle side by side, as long as its bounds are those of the source.
bool jam_triangles(RecipeBuilder& builder, const NestShape& shape) {
  if (shape.copies < 2) return false;
  return builder.everywhere("unroll_jam", {shape.copies}, [&](const KernelContext& context, const Loop* loop) {
    if (!loop || !may_jam(context, *loop, shape)) return false;
    return std::any_of(loop->children.begin(), loop->children.end(), [&](const Loop* child) {
      return child->counted && bounds_mention(*child, loop->variable) && tile_bytes(context, child) > 0;
    });
  });
}

// How often the loop runs in each of the problems, where the annotation says so in numbers.
std::vector<long long> trips_in_problems(const KernelContext& context, const Loop& loop) {
  if (const auto trips = loop.constant_trips(context.ast)) return {*trips};
  const auto* bound = llvm::dyn_cast<clang::DeclRefExpr>(loop.upper->IgnoreParenImpCasts());
  const auto* parameter = bound ? llvm::dyn_cast<clang::ParmVarDecl>(bound->getDecl()) : nullptr;
  const bool whole = loop.constant_lower(context.ast) == 0 && !loop.inclusive && loop.step == 1;
  return parameter && whole ? problem_values(context.spec, parameter->getNameAsString()) : std::vector<long long>();
}

// Vectors of `lanes` for a tile's row: somewhat fewer where so the last tile is as wide as the others in each problem,
// since a narrower one computes in memory.
int vectors_of_tile(const KernelContext& context, const Loop& loop, int most, int lanes) {
  const std::vector<long long> trips = trips_in_problems(context, loop);
  for (int vectors = trips.empty() ? 0 : most; vectors > 1 && 2 * vectors >= most; --vectors)
    if (std::ranges::all_of(trips, [&](long long count) { return count % (vectors * lanes) == 0; })) return vectors;
  return most;
}

// Tiles everywhere; the names of the loops around them, of which copies may share what the tiles load.
std::set<std::string> add_tiles(RecipeBuilder& builder, const NestShape& shape) {
  std::set<std::string> around;
  const int vector = vector_bytes(builder.state());
  for (const int element : {8, 4, 2, 1}) {
    for (int vectors = shape.vectors; vectors > 0 && 2 * vectors >= shape.vectors; --vectors) {
      const int lanes = vector / element;
      builder.everywhere("vectorise_outer", {vectors * lanes}, [&](const KernelContext& context, const Loop* loop) {
        if (tile_bytes(context, loop) != element || corner(*loop)) return false;
        if (vectors_of_tile(context, *loop, shape.vectors, lanes) != vectors) return false;
        if (loop->parent && loop->parent->counted && may_jam(context, *loop->parent, shape))
          around.insert(name_of(*loop->parent));
        return true;
      });
    }
  }
  return around;
}

// Of a tile, in either form.
bool is_strip(const Loop* loop) {
  return loop->counted && loop->step > 1;
}

void jam_around_tiles(RecipeBuilder& builder, const NestShape& shape, const std::set<std::string>& around) {
  if (shape.copies < 2 || around.empty()) return;
  builder.everywhere("unroll_jam", {shape.copies}, [&](const KernelContext&, const Loop* loop) {
    return loop && around.contains(name_of(*loop)) &&
           std::any_of(loop->children.begin(), loop->children.end(), is_strip);
  });
}

// The sums that an innermost loop runs along memory for.
std::vector<ReducedVariable> running_sums(const KernelContext& context, const Loop* loop) {
  if (!loop || !loop->innermost() || along_memory(context, *loop, loop->variable) == 0) return {};
  return reduced_variables(context.ast, *loop).value_or(std::vector<ReducedVariable>());
}

// Rows whose sums run side by side share what they are multiplied with.
bool jam_rows(RecipeBuilder& builder, const NestShape& shape) {
  if (shape.copies < 2) return false;
  return builder.everywhere("unroll_jam", {shape.copies}, [&](const KernelContext& context, const Loop* loop) {
    if (!loop) return false;
    const bool sums = std::any_of(loop->children.begin(), loop->children.end(), [&](const Loop* child) {
      const std::size_t count = running_sums(context, child).size();
      return count > 0 && count <= 2 && !bounds_mention(*child, loop->variable);
    });
    return sums && may_jam(context, *loop, shape);
  });
}

// Vectors that the lanes of all sums of a loop may take together; what is left of the registers loads their operands.
int vectors_for_sums(const KernelContext& context) {
  const int registers = context.ast.getTargetInfo().hasFeature("avx512f") ? 32 : 16;
  return registers * 3 / 4;
}

// As many lanes as the registers hold beside the other sums of the loop.
bool add_lanes(RecipeBuilder& builder, const NestShape& shape) {
  bool any = false;
  const int vector = vector_bytes(builder.state());
  for (const int element : {8, 4, 2, 1}) {
    for (const bool many : {false, true}) {
      const int vectors = many ? std::max(shape.vectors / 2, 1) : shape.vectors;
      any |= builder.everywhere("lanes", {vectors * vector / element},
                                [&](const KernelContext& context, const Loop* loop) {
                                  const auto sums = running_sums(context, loop);
                                  const int taken = static_cast<int>(sums.size()) * shape.vectors;
                                  return !sums.empty() && (taken > vectors_for_sums(context)) == many &&
                                         bytes_of(context, sums.front().variable->getType()) == element;
                                });
    }
  }
  return any;
}

}  // namespace

bool turn_sums_inward(RecipeBuilder& builder) {
  return builder.everywhere("interchange", {}, [](const KernelContext& context, const Loop* loop) {
    const Loop* inner = loop ? loop->only_child() : nullptr;
    if (!inner || !inner->innermost() || !loop->parent || !loop->parent->counted) return false;
    bool sums = false;
    for (const Access& access : accesses_in(context.ast, inner->body)) {
      if (!access.writes) continue;
      sums = access.reads && access.stride(loop->variable) == Stride::zero &&
             access.stride(inner->variable) == Stride::one;
      if (!sums) return false;
    }
    return sums;
  });
}

bool shape_nests(RecipeBuilder& builder, const NestShape& shape) {
  const std::size_t before = builder.genome().size();
  const bool triangles = jam_triangles(builder, shape);
  const auto around = add_tiles(builder, shape);
  jam_around_tiles(builder, shape, around);
  const bool jammed = jam_rows(builder, shape) || triangles;
  add_lanes(builder, shape);
  if (builder.genome().size() == before) return false;
  if (jammed || (shape.copies > 1 && !around.empty())) builder.once("passes", {0});
  return true;
}

}  // namespace hone::frontend
