// Starts for CUDA launchers. What gives most on kernels as one first writes them comes first: fewer atomics, a group of
// threads for each row, threads that run along memory, tiles.
#include <algorithm>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/device_kernel.h"
#include "tool/transforms/code/launch_arguments.h"
#include "tool/transforms/code/recipe_builder.h"
#include "tool/transforms/cuda/grid_stride.h"
#include "tool/transforms/recipes.h"

namespace hone::frontend {
namespace {

// What the original's structure says; found once, since contexts do not last.
struct Structure {
  bool gathers = false;  // many threads add to one place,
  bool counts = false;   // or to a small array
  bool rows = false;     // a thread has a loop that a group could share,
  bool across = false;   // and that loop runs along memory while the threads do not
  bool columns = false;  // a thread has a loop that threads of a block could share while others run along memory
  bool plane = false;    // two indices,
  bool turned = false;   // of which the wrong one runs along memory
  bool product = false;
  bool transposes = false;
  bool loops = false;
  bool special = false;  // a problem's value bounds loops
  bool elementwise = false;
  bool trees = false;     // blocks reduce in shared memory,
  bool lonely = false;    // each of few blocks has an item for itself,
  bool clusters = false;  // or a group could be a cluster of blocks, where items are few
  bool runs_on = false;   // or one thread or block alone sums up as it goes
  int widest_pack = 4;    // elements,
  bool pairs = false;     // of half precision, with which nothing else is done
  bool bordered = false;  // a loop asks at each step whether it lies inside
  bool steps = false;     // a loop of the host launches it, whose steps need not wait for each other
  bool few = true;        // there are too few items to fill a device, or nobody knows
  int shared = 0;         // copies of a loop around others, whose iterations load the same; 0: there is none
  std::vector<std::vector<int>> tile;  // what a tile in registers may be; empty: none suits
};

// How many accesses within `statement` run along memory with `variable`.
unsigned runs_along(const KernelContext& context, const clang::Stmt* statement, const clang::VarDecl* variable) {
  unsigned count = 0;
  for (const Access& access : accesses_in(context.ast, statement)) count += access.stride(variable) == Stride::one;
  return count;
}

// Is it a place of the thread's own? It mentions a local that counts no loop: the item, or what was computed from it.
bool differs_by_thread(LoopNest& nest, const Access& access) {
  const auto references = all_of<clang::DeclRefExpr>(access.expression);
  return std::ranges::any_of(references, [&](const clang::DeclRefExpr* reference) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    return variable && variable->isLocalVarDecl() &&
           std::ranges::none_of(nest.loops(), [&](const Loop& loop) { return loop.variable == variable; });
  });
}

// Do more of its accesses run along memory with the loop while neighboring threads are apart than the other way round?
bool runs_across(const KernelContext& context, LoopNest& nest, const Loop& loop, const clang::VarDecl* item) {
  int across = 0;
  for (const Access& access : accesses_in(context.ast, loop.body)) {
    const bool by_loop = access.stride(loop.variable) == Stride::one, by_thread = access.stride(item) == Stride::one;
    across += by_loop && !by_thread && differs_by_thread(nest, access);
    across -= by_thread && !by_loop;
  }
  return across > 0;
}

// Do the iterations of a loop with others inside load some of the same, and some of their own?
bool shares_loads(const KernelContext& context, const Loop& loop) {
  if (!loop.counted || loop.innermost()) return false;
  bool same = false, own = false;
  for (const Loop* inner : loop.children)
    for (const Access& access : accesses_in(context.ast, inner->body)) {
      if (access.writes || !access.index) continue;
      const bool moves = access.index->depends_on(loop.variable);
      own |= moves;
      same |=
          !moves && std::ranges::none_of(access.index->terms(), [&](const auto& term) { return term.first.empty(); });
    }
  return same && own;
}

// All iterations of such a loop together, where they are few; else eight. 0: there is no such loop.
int shared_copies(const KernelContext& context, const LoopNest& nest) {
  constexpr double few = 12;
  for (const Loop& loop : nest.loops()) {
    if (!shares_loads(context, loop)) continue;
    const auto trips = loop.constant_lower(context.ast) == 0 ? value_in_problem(context, loop.upper) : std::nullopt;
    return trips && *trips >= 2 && *trips <= few ? static_cast<int>(*trips) : 8;
  }
  return 0;
}

constexpr double many_items = 1 << 17;  // fill a device by themselves
constexpr double few_blocks = 264;      // two for each multiprocessor, or fewer

// Blocks of the launch that are known in number, and leave most of a device idle.
bool are_few_blocks(const KernelContext& context) {
  const auto launch = launch_of(context);
  if (!launch) return false;
  const clang::Expr* grid = launch->call->getConfig()->getArg(0)->IgnoreImplicit();
  while (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(grid)) {
    if (made->getNumArgs() == 0) return false;
    grid = made->getArg(0)->IgnoreImplicit();
  }
  const auto blocks = value_in_launcher(context, grid);
  return blocks && *blocks < few_blocks;
}

// Where the number of items is known.
std::optional<double> items_of(const KernelContext& context, const DeviceKernel& kernel) {
  const ItemCondition* end = kernel.along('x') ? end_of(kernel) : nullptr;
  const auto* test = end ? llvm::dyn_cast<clang::BinaryOperator>(end->test->IgnoreParenImpCasts()) : nullptr;
  if (!test || kernel.items.size() != 1) return std::nullopt;
  const bool left = mentions(test->getLHS(), kernel.along('x')->variable);
  return value_in_problem(context, left ? test->getRHS() : test->getLHS());
}

Structure structure_of(const KernelContext& context) {
  Structure seen;
  seen.gathers = is_applicable(context, "aggregate_atomics");
  seen.counts = is_applicable(context, "privatise_atomics");
  seen.rows = is_applicable(context, "row_group");
  seen.columns = is_applicable(context, "column_group");
  seen.plane = is_applicable(context, "swap_axes");
  seen.product = is_applicable(context, "tile_product");
  seen.transposes = is_applicable(context, "store_through_tile");
  seen.special = is_applicable(context, "specialise");
  seen.elementwise = is_applicable(context, "vector_access");
  seen.trees = is_applicable(context, "warp_shuffles");
  seen.lonely = is_applicable(context, "cluster") && are_few_blocks(context);
  seen.runs_on = is_applicable(context, "tiled_scan");
  if (seen.elementwise) {
    const auto packs = find_transformation("vector_access")->argument_choices(context, 0);
    seen.widest_pack = packs.front().front();
    seen.pairs = packs.at(1).size() > 1;
  }
  seen.bordered = is_applicable(context, "interior");
  seen.steps = is_applicable(context, "merge_launches");
  LoopNest nest(context);
  seen.loops = !nest.loops().empty();
  seen.shared = shared_copies(context, nest);
  if (is_applicable(context, "register_tile"))
    seen.tile = find_transformation("register_tile")->argument_choices(context, 0);
  const auto kernel = device_kernel_of(context);
  if (!kernel) return seen;
  const auto items = items_of(context, *kernel);
  seen.few = !items || *items < many_items;
  seen.clusters = seen.rows && items && *items < few_blocks &&
                  find_transformation("row_group")->argument_choices(context, 0).at(1).size() > 1;
  if (const ItemIndex* x = kernel->along('x'), *y = kernel->along('y'); x && y)
    seen.turned = runs_along(context, context.kernel->getBody(), y->variable) >
                  runs_along(context, context.kernel->getBody(), x->variable);
  if (seen.rows)
    for (const Loop* loop : nest.counted())
      if (!loop->parent) seen.across |= runs_across(context, nest, *loop, kernel->items[0].variable);
  return seen;
}

using Steps = std::function<void(RecipeBuilder&)>;

// What to do with one kernel, best guess first.
class DeviceRecipeBook {
 public:
  void add(Steps steps) { all_.push_back(std::move(steps)); }
  std::vector<Steps> take() { return std::move(all_); }

 private:
  std::vector<Steps> all_;
};

// What hardly ever hurts.
void prepare_for_device(RecipeBuilder& builder, bool divisions = true) {
  builder.once("restrict");
  builder.once("intrinsics", {divisions ? 1 : 0});
}

void gather(RecipeBuilder& builder, int block, int items) {
  prepare_for_device(builder);
  builder.once("block", {block});
  const bool packed = builder.once("vector_access", {4});
  if (packed ? items > 4 : items > 1) builder.once("elements", {packed ? items / 4 : items});
  builder.once("aggregate_atomics");
}

void count(RecipeBuilder& builder, int packed, int items, int copies) {
  prepare_for_device(builder);
  builder.once("block", {256});
  builder.once("vector_access", {packed});
  if (items > 1) builder.once("elements", {items});
  builder.once("privatise_atomics", {copies});
}

void group_rows(RecipeBuilder& builder, int threads, int blocks, bool special) {
  builder.everywhere("promote_scalar");
  builder.everywhere("reciprocal");  // before divisions are written otherwise
  prepare_for_device(builder);
  builder.once("row_group", blocks > 1 ? std::vector{threads, blocks} : std::vector{threads});
  if (special) builder.everywhere("specialise");
}

void group_columns(RecipeBuilder& builder, int lanes) {
  builder.everywhere("promote_scalar");  // sums in memory are nobody's to share
  prepare_for_device(builder);
  builder.once("column_group", {lanes});
}

// Several items for each thread, whose loops run together: what does not depend on the item is loaded once.
void jam_elements(RecipeBuilder& builder, int items) {
  builder.once("vectorise_outer", {items}, [](const KernelContext&, const Loop* loop) {
    return loop && loop->variable->getNameAsString().starts_with("element");
  });
}

void jam(RecipeBuilder& builder, int items, int along) {
  builder.once("elements", {items, along});
  jam_elements(builder, items);
}

// Iterations of a loop that load the same, together.
bool share_loads(RecipeBuilder& builder, int copies) {
  return builder.once("unroll_jam", {copies}, [](const KernelContext& context, const Loop* loop) {
    return loop && shares_loads(context, *loop);
  });
}

// A tile of elements for each thread; the loop over them runs inside of the others.
void tile_registers(RecipeBuilder& builder, int rows, int columns, bool special) {
  prepare_for_device(builder);
  if (builder.once("register_tile", {rows, columns})) jam_elements(builder, rows * columns);
  if (special) builder.everywhere("specialise");
}

void tiles(DeviceRecipeBook& book, const Structure& seen) {
  const bool rows = seen.tile[0].size() > 1, columns = seen.tile[1].front() > 1;
  std::vector<std::pair<int, int>> shapes{{1, 4}, {1, 8}, {1, 2}};
  if (rows) shapes = {{8, 1}, {16, 1}, {4, 1}, {8, 2}};
  if (rows && columns) shapes = {{8, 4}, {4, 4}, {8, 2}, {4, 8}, {8, 1}};
  for (int special = seen.special; special >= 0; --special)
    for (const auto& [height, width] : shapes)
      book.add([=](RecipeBuilder& builder) {
        builder.everywhere("raise_conditions");
        if (!rows && seen.shared > 0) share_loads(builder, seen.shared);
        tile_registers(builder, height, width, special != 0);
      });
}

void turn(RecipeBuilder& builder, const Structure& seen) {
  if (seen.turned) builder.once("swap_axes");
}

// Filters: no question in the interior, loops of a known length, and rows of the result that share what they read.
void borders(DeviceRecipeBook& book, const Structure& seen) {
  for (auto [y, items] : {std::pair{8, 4}, {8, 1}, {4, 8}, {8, 2}}) {
    if (!seen.plane && items > 1) continue;
    for (int special = seen.special; special >= 0; --special)
      book.add([=](RecipeBuilder& builder) {
        prepare_for_device(builder);
        if (seen.plane) builder.once("block", {32, y});
        if (items > 1) builder.once("elements", {items, 1, 1});
        builder.everywhere("interior");
        if (special) builder.everywhere("specialise");
      });
  }
  if (seen.plane) return;
  for (const int items : {2, 4})
    book.add([=](RecipeBuilder& builder) {
      prepare_for_device(builder);
      builder.once("elements", {items, 0});
      builder.everywhere("interior");
      if (seen.special) builder.everywhere("specialise");
    });
}

void fill(DeviceRecipeBook& book, const Structure& seen) {
  if (seen.steps)
    for (auto [together, block] : {std::pair{4, 0}, {8, 0}, {4, 128}, {2, 0}})
      book.add([=](RecipeBuilder& builder) {
        prepare_for_device(builder);
        builder.once("merge_launches", {together});
        if (block > 0) builder.once("block", {block});
      });
  if (seen.gathers)
    for (auto [block, items] : {std::pair{256, 32}, {512, 16}, {256, 64}, {1024, 16}, {256, 8}})
      book.add([=](RecipeBuilder& builder) { gather(builder, block, items); });
  if (seen.counts)
    for (auto [packed, items, copies] :
         {std::tuple{16, 4, 8}, {16, 8, 8}, {16, 4, 4}, {16, 2, 8}, {4, 16, 8}, {4, 8, 1}})
      book.add([=](RecipeBuilder& builder) { count(builder, packed, items, copies); });
  if (seen.runs_on)
    for (auto [items, block] : {std::pair{8, 256}, {16, 256}, {8, 512}, {4, 512}, {16, 128}})
      book.add([=](RecipeBuilder& builder) {
        prepare_for_device(builder);
        builder.once("tiled_scan", {items, block});
      });
  if (seen.lonely)
    for (const int blocks : {8, 4})
      book.add([=](RecipeBuilder& builder) {
        prepare_for_device(builder);
        builder.once("cluster", {blocks});
        builder.everywhere("warp_shuffles", {0});
      });
  if (seen.trees)
    for (const int in_order : {0, 1})
      book.add([=](RecipeBuilder& builder) {
        prepare_for_device(builder);
        builder.everywhere("warp_shuffles", {in_order});
      });
  if (!seen.tile.empty()) tiles(book, seen);
  const auto rows = [&](std::initializer_list<int> threads) {
    for (const int each : threads)
      for (int special = seen.special; special >= 0; --special)
        book.add([=](RecipeBuilder& builder) { group_rows(builder, each, 1, special != 0); });
  };
  if (seen.clusters)
    for (auto [threads, blocks] : {std::pair{256, 8}, {512, 8}, {256, 4}})
      book.add([=](RecipeBuilder& builder) { group_rows(builder, threads, blocks, false); });
  if (seen.rows && seen.across) rows({32, 128, 256, 64, 512, 16, 8});
  if (seen.transposes)
    for (const int height : {8, 4, 16})
      book.add([=](RecipeBuilder& builder) {
        prepare_for_device(builder);
        builder.once("store_through_tile", {height});
      });
  if (seen.product)
    for (auto [height, width, depth] :
         {std::tuple{4, 4, 16}, {8, 8, 8}, {8, 4, 16}, {4, 8, 16}, {8, 8, 16}, {2, 2, 32}, {4, 4, 32}})
      book.add([=](RecipeBuilder& builder) {
        prepare_for_device(builder);
        turn(builder, seen);
        builder.once("tile_product", {height, width, depth});
      });
  if (seen.bordered) borders(book, seen);
  if (seen.plane && !seen.transposes) {
    for (auto [x, y, items] : {std::tuple{32, 8, 1}, {64, 4, 4}, {32, 8, 4}, {128, 2, 2}, {32, 4, 8}, {128, 1, 1}})
      for (int special = seen.special; special >= 0; --special)
        book.add([=](RecipeBuilder& builder) {
          prepare_for_device(builder);
          turn(builder, seen);
          builder.once("block", {x, y});
          if (items > 1) builder.once("elements", {items, 1});
          if (special) builder.everywhere("specialise");
        });
    if (seen.loops)
      for (const int items : {4, 8})
        for (int special = seen.special; special >= 0; --special)
          book.add([=](RecipeBuilder& builder) {
            prepare_for_device(builder);
            turn(builder, seen);
            builder.once("block", {32, 8});
            jam(builder, items, 1);
            if (special) builder.everywhere("specialise");
          });
  }
  if (!seen.plane && seen.shared > 0 && !seen.few)
    for (const int copies : {seen.shared, 4})
      for (int special = seen.special; special >= 0; --special)
        book.add([=](RecipeBuilder& builder) {
          prepare_for_device(builder);
          share_loads(builder, copies);
          if (special) builder.everywhere("specialise");
        });
  if (seen.columns && !seen.across && seen.few)
    for (const int lanes : {16, 32, 8, 4}) book.add([=](RecipeBuilder& builder) { group_columns(builder, lanes); });
  if (!seen.plane && seen.loops)
    for (const int items : {4, 8, 2})
      for (int special = seen.special; special >= 0; --special)
        book.add([=](RecipeBuilder& builder) {
          prepare_for_device(builder);
          jam(builder, items, 0);
          if (special) builder.everywhere("specialise");
        });
  if (seen.elementwise)
    for (auto [packed, items] : {std::pair{seen.widest_pack, 1}, {4, 1}, {4, 2}, {4, 4}, {2, 1}})
      for (int pairs = seen.pairs; pairs >= 0; --pairs)
        book.add([=](RecipeBuilder& builder) {
          prepare_for_device(builder);
          builder.once("vector_access", {packed, pairs, 0});
          if (items > 1) builder.once("elements", {items});
        });
  if (seen.elementwise)
    for (const int blocks : {1024, 2048})
      book.add([=](RecipeBuilder& builder) {
        prepare_for_device(builder);
        builder.once("grid_stride", {blocks});
      });
  if (seen.elementwise)
    for (const int blocks : {1024, 2048})
      book.add([=](RecipeBuilder& builder) {
        prepare_for_device(builder);
        builder.once("vector_access", {seen.widest_pack, 1, blocks});
      });
  if (seen.rows && !seen.across) rows({32, 8});
  book.add([](RecipeBuilder& builder) { prepare_for_device(builder); });
  book.add([](RecipeBuilder& builder) { prepare_for_device(builder, false); });
  for (const int block : {128, 512})
    book.add([=](RecipeBuilder& builder) {
      prepare_for_device(builder);
      builder.once("block", {block, 1});
    });
}

}  // namespace

namespace {

constexpr std::size_t most_together = 4;  // of a launcher's kernels' guesses

void add(std::vector<Genome>& genomes, const Genome& genome) {
  if (!genome.empty() && std::ranges::find(genomes, genome) == genomes.end()) genomes.push_back(genome);
}

// Each kernel of the launcher by its own guess of that number, or by its last one; the last kernel first, since a copy
// of a kernel for one value comes to stand behind it.
Genome together(const StateOf& state_of, const std::vector<std::vector<Steps>>& guesses,
                const std::vector<std::size_t>& numbers) {
  Genome genome;
  for (std::size_t kernel = guesses.size(); kernel-- > 0;) {
    RecipeBuilder builder(state_of, kernel, std::move(genome));
    guesses[kernel][std::min(numbers[kernel], guesses[kernel].size() - 1)](builder);
    genome = builder.genome();
  }
  return genome;
}

// All launches that can be fused are.
Genome fused(const StateOf& state_of) {
  constexpr std::size_t most = 8;
  Genome genome;
  for (bool more = true; more && genome.size() < most;) {
    more = false;
    const std::size_t kernels = state_of(genome).size();
    for (std::size_t kernel = 0; kernel + 1 < kernels && !more; ++kernel) {
      RecipeBuilder builder(state_of, kernel, genome);
      more = builder.once("fuse_launches");
      genome = builder.genome();
    }
  }
  return genome;
}

// States behind genes that all apply.
StateOf behind(const StateOf& state_of, const Genome& start) {
  const auto reach = [&state_of, start](Genome& genome) -> const std::vector<KernelContext>& {
    genome.insert(genome.begin(), start.begin(), start.end());
    const std::vector<KernelContext>& contexts = state_of(genome);
    genome.erase(genome.begin(), genome.begin() + static_cast<std::ptrdiff_t>(start.size()));
    return contexts;
  };
  return {reach, state_of.stop};
}

// Of several kernels all change at once, since a call takes as long as all of them; then each one by itself beside the
// others' best guess.
std::vector<Genome> recipes_of_kernels(const StateOf& state_of) {
  Genome none;
  std::vector<Structure> seen;
  for (const KernelContext& context : state_of(none)) seen.push_back(structure_of(context));
  // Sums in memory hide what could be shared.
  for (std::size_t kernel = 0; kernel < seen.size(); ++kernel) {
    RecipeBuilder builder(state_of, kernel);
    if (!builder.everywhere("promote_scalar")) continue;
    const Structure promoted = structure_of(builder.state());
    seen[kernel].rows |= promoted.rows;
    seen[kernel].across |= promoted.across;
    seen[kernel].columns |= promoted.columns;
    seen[kernel].clusters |= promoted.clusters;
  }
  std::vector<std::vector<Steps>> guesses;
  for (const Structure& one : seen) {
    DeviceRecipeBook book;
    fill(book, one);
    guesses.push_back(book.take());
  }
  std::vector<Genome> genomes;
  std::size_t longest = 0;
  for (const auto& of_one : guesses) longest = std::max(longest, of_one.size());
  const std::size_t all_at_once = guesses.size() > 1 ? std::min(most_together, longest) : longest;
  for (std::size_t number = 0; number < all_at_once; ++number)
    add(genomes, together(state_of, guesses, std::vector<std::size_t>(guesses.size(), number)));
  if (guesses.size() == 1) return genomes;
  for (std::size_t number = 1; number < longest; ++number)
    for (std::size_t kernel = 0; kernel < guesses.size(); ++kernel) {
      std::vector<std::size_t> numbers(guesses.size(), 0);
      if (number >= guesses[kernel].size()) continue;
      numbers[kernel] = number;
      add(genomes, together(state_of, guesses, numbers));
    }
  return genomes;
}

}  // namespace

// Launches that can be fused come fused first. Kernels with loops each want moves of their own: they come apart first.
std::vector<Genome> device_recipes(const StateOf& state_of) {
  std::vector<Genome> apart = recipes_of_kernels(state_of);
  const Genome start = fused(state_of);
  if (start.empty()) return apart;
  Genome none;
  const bool loops = std::ranges::any_of(
      state_of(none), [](const KernelContext& context) { return !LoopNest(context).loops().empty(); });
  constexpr std::size_t alone = 2;        // of the fused recipes: after these comes nothing but the fusion
  constexpr std::size_t apart_first = 4;  // of the others, where there are loops
  std::vector<Genome> genomes;
  for (std::size_t i = 0; loops && i < std::min(apart_first, apart.size()); ++i) add(genomes, apart[i]);
  std::size_t count = 0;
  for (Genome& genome : recipes_of_kernels(behind(state_of, start))) {
    genome.insert(genome.begin(), start.begin(), start.end());
    if (count++ == alone) add(genomes, start);
    add(genomes, genome);
  }
  for (const Genome& genome : apart) add(genomes, genome);
  return genomes;
}

}  // namespace hone::frontend
