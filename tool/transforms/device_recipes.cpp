// Starts for CUDA launchers. What gives most on kernels as one first writes them comes first: fewer atomics, a group of
// threads for each row, threads that run along memory, tiles.
#include <algorithm>

#include "tool/transforms/code/recipe_builder.h"
#include "tool/transforms/device_structure.h"
#include "tool/transforms/recipes.h"

namespace hone::frontend {
namespace {

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

// By few blocks, each of which goes on by whole grids: what a block sets up and adds up grows with an array of which
// nobody knows how large it is.
void count_by_grid(RecipeBuilder& builder, int block, int blocks, int packed, int copies) {
  prepare_for_device(builder);
  builder.once("block", {block});
  if (!builder.once("vector_access", {packed, 0, blocks})) builder.once("grid_stride", {blocks});
  builder.once("elements", {16});  // where nothing else fits: loops are passed over
  builder.once("privatise_atomics", {copies});
}

void group_rows(RecipeBuilder& builder, int threads, int blocks, bool special) {
  builder.everywhere("promote_scalar");
  builder.everywhere("reciprocal");  // before divisions are written otherwise
  prepare_for_device(builder);
  builder.once("row_group", blocks > 1 ? std::vector{threads, blocks} : std::vector{threads});
  if (special) builder.everywhere("specialise");
}

// Threads keep their rows, and a warp loads and stores for them. Where rows are few there are as many blocks as can be,
// whose warps load the next elements while they run: nothing else hides how long that takes.
void walks(DeviceRecipeBook& book, const DeviceStructure& seen) {
  std::vector<std::vector<int>> shapes{{32, 128, 0}, {32, 64, 1}, {32, 32, 1}, {16, 128, 0}};
  if (seen.few) shapes = {{32, 32, 1}, {32, 128, 0}, {32, 64, 1}, {16, 32, 1}, {32, 32, 0}};
  for (const std::vector<int>& shape : shapes)
    book.add([=](RecipeBuilder& builder) {
      builder.everywhere("promote_scalar");
      prepare_for_device(builder);
      builder.once("warp_transpose", shape);
    });
}

void group_columns(RecipeBuilder& builder, int lanes) {
  builder.everywhere("promote_scalar");  // sums in memory are nobody's to share
  prepare_for_device(builder);
  builder.once("column_group", {lanes});
}

// Several items for each thread, whose loops run together: what does not depend on the item is loaded once.
// `steps`: loops inside of so many together are unrolled.
void jam_elements(RecipeBuilder& builder, int items, int steps = 0) {
  const std::vector<int> arguments = steps > 0 ? std::vector{items, steps} : std::vector{items};
  builder.once("vectorise_outer", arguments, [](const KernelContext&, const Loop* loop) {
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

struct StagedTile {
  int rows, columns, across, iterations;
};

// The same with columns across memory; what rows read alike for a whole block (weights) comes from shared memory.
// False: there is nothing of that kind.
bool stage_tile(RecipeBuilder& builder, const DeviceStructure& seen, const StagedTile& tile) {
  constexpr int most_steps = 40;  // of loops that are unrolled for a row
  const bool asks = builder.everywhere("raise_conditions");
  prepare_for_device(builder);
  const bool has_rows = seen.tile[0].size() > 1;
  // A loop of the thread's own whose iterations load the same takes the place of rows.
  if (!has_rows && seen.shared > 0)
    builder.once("vectorise_outer", {tile.rows},
                 [](const KernelContext& context, const Loop* loop) { return loop && shares_loads(context, *loop); });
  const int apart = find_transformation("register_tile")->argument_choices(builder.state(), 0).back().back();
  std::vector<int> arguments{tile.rows, tile.columns, tile.across, 1};
  if (apart > 1) arguments.push_back(apart);
  if (!builder.once("register_tile", arguments)) return false;
  const int rows = has_rows ? tile.rows : 1;
  jam_elements(builder, rows * tile.columns, tile.columns > 1 ? most_steps * tile.rows / rows : 0);
  return builder.once("stage_shared", asks ? std::vector{tile.iterations, 1} : std::vector{tile.iterations},
                      [](const KernelContext&, const Loop* loop) { return loop && loop->children.size() == 1; });
}

// Where nothing can be staged, the tile alone: it is tried once.
void tile_staged(RecipeBuilder& builder, const DeviceStructure& seen, const StagedTile& tile) {
  RecipeBuilder staged = builder;
  if (stage_tile(staged, seen, tile)) {
    builder = staged;
    return;
  }
  builder.everywhere("raise_conditions");
  tile_registers(builder, tile.rows, tile.columns, seen.special);
}

void staged_tiles(DeviceRecipeBook& book, const DeviceStructure& seen) {
  const bool rows = seen.tile[0].size() > 1, across = seen.tile[2].size() > 1;
  if (!rows && (!across || seen.shared == 0)) return;
  std::vector<StagedTile> shapes{{8, 1, 0, 8}, {16, 1, 0, 8}, {4, 1, 0, 8}};
  if (across) shapes = {{8, 4, 1, 8}, {16, 2, 1, 8}, {8, 2, 1, 8}, {16, 4, 1, 8}, {4, 4, 1, 8}};
  for (const StagedTile& tile : shapes) book.add([=](RecipeBuilder& builder) { tile_staged(builder, seen, tile); });
}

void tiles(DeviceRecipeBook& book, const DeviceStructure& seen) {
  staged_tiles(book, seen);
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

void turn(RecipeBuilder& builder, const DeviceStructure& seen) {
  if (seen.turned) builder.once("swap_axes");
}

// No question and no clamp away from the border, in blocks of 32 by `rows` where there are two indices.
void ask_at_borders(RecipeBuilder& builder, const DeviceStructure& seen, int rows, int items, bool special) {
  prepare_for_device(builder);
  if (seen.plane) builder.once("block", {32, rows});
  if (items > 1) builder.once("elements", {items, 1, 1});
  builder.everywhere("interior");
  if (special) builder.everywhere("specialise");
}

// Clamps keep a tile's loads apart: each pixel by itself runs without them first.
void unclamped(DeviceRecipeBook& book, const DeviceStructure& seen) {
  for (int special = seen.special; special >= 0; --special)
    book.add([=](RecipeBuilder& builder) { ask_at_borders(builder, seen, 8, 1, special != 0); });
}

// Filters: no question in the interior, loops of a known length, and rows of the result that share what they read.
void borders(DeviceRecipeBook& book, const DeviceStructure& seen) {
  for (int special = seen.special; special >= 0; --special)
    for (auto [y, items] : {std::pair{8, 4}, {8, 1}, {4, 8}, {8, 2}}) {
      if (!seen.plane && items > 1) continue;
      book.add([=](RecipeBuilder& builder) { ask_at_borders(builder, seen, y, items, special != 0); });
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

// One kernel for all steps, on the whole device and as one block: which is faster depends on how large a step is, which
// is seldom known. Pointers promise nothing: a step reads what others wrote.
void chain(DeviceRecipeBook& book, const DeviceStructure& seen) {
  const bool has_threads = seen.chain.size() > 1;
  for (const auto& [place, threads] :
       {std::pair<std::size_t, int>{0, 1024}, {1, 1024}, {0, 256}, {1, 256}, {2, 1024}}) {
    if (place >= seen.chain[0].size() || (!has_threads && threads != 1024)) continue;
    std::vector<int> arguments{seen.chain[0][place]};
    if (has_threads) arguments.push_back(threads);
    book.add([=](RecipeBuilder& builder) {
      builder.once("intrinsics", {1});
      builder.once("chain_launches", arguments);
    });
  }
}

void fill(DeviceRecipeBook& book, const DeviceStructure& seen) {
  if (seen.steps)
    for (auto [together, block] : {std::pair{4, 0}, {8, 0}, {4, 128}, {2, 0}})
      book.add([=](RecipeBuilder& builder) {
        prepare_for_device(builder);
        builder.once("merge_launches", {together});
        if (block > 0) builder.once("block", {block});
      });
  if (!seen.chain.empty()) chain(book, seen);
  if (seen.recurs) walks(book, seen);
  // A thread that adds up a row is too busy for several of them: first a group takes each row.
  const bool adds_rows = seen.rows && seen.across;
  const auto gathers = [&] {
    for (auto [block, items] : {std::pair{256, 32}, {512, 16}, {256, 64}, {1024, 16}, {256, 8}})
      book.add([=](RecipeBuilder& builder) { gather(builder, block, items); });
  };
  if (seen.gathers && !adds_rows) gathers();
  if (seen.sized_late)
    for (auto [block, blocks, packed, copies] :
         {std::tuple{512, 528, seen.widest_pack, 8}, {1024, 264, seen.widest_pack, 8}, {256, 1024, 4, 4}})
      book.add([=](RecipeBuilder& builder) { count_by_grid(builder, block, blocks, packed, copies); });
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
  if (seen.clamped) unclamped(book, seen);
  if (!seen.tile.empty()) tiles(book, seen);
  const auto rows = [&](std::initializer_list<int> threads) {
    for (int special = seen.special; special >= 0; --special)
      for (const int each : threads)
        book.add([=](RecipeBuilder& builder) { group_rows(builder, each, 1, special != 0); });
  };
  if (seen.clusters)
    for (auto [threads, blocks] : {std::pair{256, 8}, {512, 8}, {256, 4}})
      book.add([=](RecipeBuilder& builder) { group_rows(builder, threads, blocks, false); });
  if (adds_rows && seen.short_rows) rows({16, 8});
  if (adds_rows && !seen.short_rows) rows({32, 128});
  if (seen.walks && !seen.recurs) walks(book, seen);
  if (adds_rows && seen.short_rows) rows({32, 4, 64});
  if (adds_rows && !seen.short_rows) rows({256, 64, 512, 16, 8});
  if (seen.gathers && adds_rows) gathers();
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
    for (int special = seen.special; special >= 0; --special)
      for (auto [x, y, items] : {std::tuple{32, 8, 1}, {64, 4, 4}, {32, 8, 4}, {128, 2, 2}, {32, 4, 8}, {128, 1, 1}})
        book.add([=](RecipeBuilder& builder) {
          prepare_for_device(builder);
          turn(builder, seen);
          builder.once("block", {x, y});
          if (items > 1) builder.once("elements", {items, 1});
          if (special) builder.everywhere("specialise");
        });
    if (seen.loops)
      for (int special = seen.special; special >= 0; --special)
        for (const int items : {4, 8})
          book.add([=](RecipeBuilder& builder) {
            prepare_for_device(builder);
            turn(builder, seen);
            builder.once("block", {32, 8});
            jam(builder, items, 1);
            if (special) builder.everywhere("specialise");
          });
  }
  if (!seen.plane && seen.shared > 0 && !seen.few)
    for (int special = seen.special; special >= 0; --special)
      for (const int copies : {seen.shared, 4})
        book.add([=](RecipeBuilder& builder) {
          prepare_for_device(builder);
          share_loads(builder, copies);
          if (special) builder.everywhere("specialise");
        });
  if (seen.columns && !seen.across && seen.few)
    for (const int lanes : {16, 32, 8, 4}) book.add([=](RecipeBuilder& builder) { group_columns(builder, lanes); });
  // Several items a thread leave more of the device idle where items are few already, and a group for each leaves less.
  if (seen.rows && !seen.across && seen.known_few) rows({32, 8});
  if (!seen.plane && seen.loops)
    for (int special = seen.special; special >= 0; --special)
      for (const int items : {4, 8, 2})
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
  if (seen.rows && !seen.across && !seen.known_few) rows({32, 8});
  book.add([](RecipeBuilder& builder) { prepare_for_device(builder); });
  book.add([](RecipeBuilder& builder) { prepare_for_device(builder, false); });
  for (const int block : {128, 512})
    book.add([=](RecipeBuilder& builder) {
      prepare_for_device(builder);
      builder.once("block", {block, 1});
    });
}

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
  std::vector<DeviceStructure> seen;
  for (const KernelContext& context : state_of(none)) seen.push_back(structure_of(context));
  // Sums in memory hide what could be shared.
  for (std::size_t kernel = 0; kernel < seen.size(); ++kernel) {
    RecipeBuilder builder(state_of, kernel);
    if (!builder.everywhere("promote_scalar")) continue;
    const DeviceStructure promoted = structure_of(builder.state());
    seen[kernel].rows |= promoted.rows;
    seen[kernel].across |= promoted.across;
    seen[kernel].walks |= promoted.walks;
    seen[kernel].recurs = promoted.recurs;
    seen[kernel].columns |= promoted.columns;
    seen[kernel].clusters |= promoted.clusters;
  }
  std::vector<std::vector<Steps>> guesses;
  for (const DeviceStructure& one : seen) {
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
