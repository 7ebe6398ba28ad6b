#include "tool/judge/data/size_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "tool/base/random.h"
#include "tool/judge/data/scalar.h"

namespace hone::judge {
namespace {

constexpr long long largest_small = 8;  // sizes up to here are channels, radii, components
constexpr long long narrow = 9;         // the other dimensions of a large one: fewer than so many more than one
constexpr long long largest_constant = 1 << 22;    // as a size; larger ones do not fit into a case
constexpr std::size_t most_constants = 12;         // of a source, so that other sizes have time too
constexpr unsigned shapes = 8, nearly_square = 6;  // by chance

struct Size {
  unsigned parameter;
  long long declared;
};

// Those that the problem says are more than `above`.
std::vector<Size> sizes_that_vary(const KernelData& spec, const Case& declared, const Sizes& sizes,
                                  long long above = largest_small) {
  std::vector<Size> result;
  for (const unsigned index : spec.problems[declared.problem].assigned) {
    const Parameter& parameter = spec.parameters[index];
    if (!sizes[index] || parameter.fixed || !parameter.enumerators.empty() || !is_integer(scalar_type(parameter)))
      continue;
    const long long value = integer_value(scalar_type(parameter), declared.scalars[index]);
    if (value > above) result.push_back({index, value});
  }
  return result;
}

// Some that may be sizes, by chance.
std::vector<long long> some_of(std::vector<long long> constants, Random& random) {
  std::erase_if(constants, [](long long c) { return c <= largest_small || c > largest_constant; });
  for (std::size_t i = constants.size(); i > 1; --i) std::swap(constants[i - 1], constants[random.below(i)]);
  if (constants.size() > most_constants) constants.resize(most_constants);
  return constants;
}

LargeSize sized(const Case& declared, const std::vector<Size>& sizes, const std::vector<long long>& values) {
  LargeSize result{.size = {declared.problem, {}}};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    result.size.overrides.push_back({sizes[i].parameter, values[i]});
    const double times = static_cast<double>(values[i]) / static_cast<double>(sizes[i].declared);
    result.work *= times;
    result.longest = std::max(result.longest, times);
  }
  return result;
}

std::vector<long long> values_of(const OtherSizes& size) {
  std::vector<long long> values;
  for (const Override& one : size.overrides) values.push_back(one.value);
  return values;
}

// All but the largest of the values dealt out anew, so that they are in the order of what is declared, and equal where
// that is: what a condition asks of them (a stride is no less than a width) holds for most.
std::vector<long long> in_declared_order(const std::vector<Size>& sizes, std::vector<long long> values) {
  const auto largest = std::ranges::max_element(values) - values.begin();
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (static_cast<std::ptrdiff_t>(i) != largest) others.push_back(i);
  std::vector<long long> dealt;
  for (const std::size_t i : others) dealt.push_back(values[i]);
  std::ranges::sort(dealt);
  std::ranges::stable_sort(others, {}, [&](std::size_t i) { return sizes[i].declared; });
  for (std::size_t n = 0; n < others.size(); ++n) {
    const bool tied = n > 0 && sizes[others[n]].declared == sizes[others[n - 1]].declared;
    values[others[n]] = tied ? values[others[n - 1]] : dealt[n];
  }
  return values;
}

}  // namespace

std::vector<OtherSizes> residue_sizes(const KernelData& spec, const Case& declared, const Sizes& sizes, bool tied,
                                      std::uint64_t seed) {
  const std::vector<Size> varying = sizes_that_vary(spec, declared, sizes);
  if (varying.empty()) return {};
  Random random(seed);
  struct Stride {
    unsigned step, first;
  };
  std::vector<Stride> strides;
  for (std::size_t i = 0; i < varying.size(); ++i)
    strides.push_back(
        {static_cast<unsigned>(2 * random.below(residues / 2) + 1), static_cast<unsigned>(random.below(residues))});
  // Whole vectors, tiles and unrolled steps in front of what is left over: fewer where loops are deep.
  const std::uint64_t fronts = varying.size() == 1 ? 6 : varying.size() == 2 ? 2 : 1;
  std::vector<OtherSizes> list;
  for (unsigned n = 0; n < residues; ++n) {
    OtherSizes other{declared.problem, {}};
    std::map<long long, long long> by_declared;
    for (std::size_t i = 0; i < varying.size(); ++i) {
      long long value =
          (strides[i].first + n * strides[i].step) % residues + static_cast<long long>(residues * random.below(fronts));
      if (tied) value = by_declared.emplace(varying[i].declared, value).first->second;
      other.overrides.push_back({varying[i].parameter, value});
    }
    list.push_back(std::move(other));
  }
  return list;
}

std::vector<LargeSize> large_sizes(const KernelData& spec, const Case& declared, const Sizes& sizes,
                                   const std::vector<long long>& constants, std::uint64_t seed) {
  const std::vector<Size> varying = sizes_that_vary(spec, declared, sizes);
  std::vector<LargeSize> list;
  if (varying.empty()) return list;
  Random random(seed);
  const auto little = [&](long long most) {
    return static_cast<long long>(random.below(static_cast<std::uint64_t>(most)));
  };
  std::vector<long long> values(varying.size());
  const auto add = [&] { list.push_back(sized(declared, varying, values)); };
  const auto each_dimension = [&](auto&& large, auto&& other) {
    for (std::size_t d = 0; d < varying.size(); ++d) {
      for (std::size_t i = 0; i < varying.size(); ++i) values[i] = i == d ? large(varying[i]) : other(varying[i]);
      add();
    }
  };
  const auto small = [&](const Size&) { return 1 + little(narrow); };
  const auto as_declared = [](const Size& size) { return size.declared; };
  const auto times = [&](long long factor) {
    return [&, factor](const Size& size) { return factor * size.declared + 1 + little(63); };
  };
  // Just over it, or far enough over it for whatever is done in steps.
  const auto over = [&](long long threshold, long long most) {
    return [&, threshold, most](const Size&) { return threshold + 1 + little(most); };
  };
  // From 16 to four times the declared, the small ones as often as the large.
  const auto of_any_order = [&](long long declared) {
    return static_cast<long long>(
        16 * std::exp2(random.uniform() * std::log2(std::max(4.0 * static_cast<double>(declared) / 16, 2.0))));
  };
  // More than a block has threads, and more than a grid has blocks in two of its directions.
  each_dimension(over(1024, 100), small);
  each_dimension(over(65536, 200), small);
  // More words than a block's 48 KB of shared memory hold: who takes more has to ask for it, or the launch fails.
  if (spec.cuda) each_dimension(over(12288, 1000), small);
  for (LargeSize& one : list) {
    one = sized(declared, varying, in_declared_order(varying, values_of(one.size)));
    one.first = true;
  }
  each_dimension(times(4), small);
  each_dimension(over(512, 100), small);
  each_dimension(over(4096, 100), small);
  for (const long long constant : some_of(constants, random))
    for (const long long beside : {0LL, 1LL}) each_dimension([&](const Size&) { return constant + beside; }, small);
  for (const long long side : {64LL, 128LL, 256LL}) {
    if (varying.size() < 2) break;
    std::ranges::fill(values, side + 1 + little(60));
    add();
  }
  for (unsigned n = 0; n < (varying.size() > 1 ? shapes : 0); ++n) {
    for (std::size_t i = 0; i < varying.size(); ++i) values[i] = of_any_order(varying[i].declared);
    add();
  }
  each_dimension(over(256, 60), small);
  each_dimension(times(16), small);
  for (std::size_t shift = 1; shift < varying.size(); ++shift) {
    for (std::size_t i = 0; i < varying.size(); ++i) values[i] = varying[(i + shift) % varying.size()].declared;
    add();
  }
  for (const long long threshold : {128LL, 256LL, 512LL, 1024LL, 2048LL, 4096LL, 8192LL, 16384LL, 32768LL, 65536LL})
    for (const long long beside : {-1LL, 0LL, 1LL})
      each_dimension([&](const Size&) { return threshold + beside; }, small);
  if (varying.size() > 1) each_dimension(times(4), as_declared);
  for (const long long factor : {2LL, 8LL}) each_dimension(times(factor), small);
  each_dimension(over(1 << 21, 1000), small);
  if (varying.size() > 1) each_dimension(times(16), as_declared);
  return list;
}

std::optional<LargeSize> vast_size(const KernelData& spec, const Case& declared, const Sizes& sizes, long long over,
                                   std::uint64_t seed) {
  const std::vector<Size> varying = sizes_that_vary(spec, declared, sizes);
  if (varying.size() != 1 || varying.front().declared > over) return std::nullopt;
  return sized(declared, varying, {over + 1 + static_cast<long long>(Random(seed).below(1000))});
}

std::vector<OtherSizes> crowded_sizes(const KernelData& spec, const Case& declared, const Sizes& sizes,
                                      const std::vector<long long>& constants, std::uint64_t seed) {
  const std::vector<Size> varying = sizes_that_vary(spec, declared, sizes);
  const std::vector<unsigned> integers = other_integers(spec, declared, sizes);
  std::vector<OtherSizes> list;
  Random random(seed);
  const auto add = [&](long long large, std::size_t dimension) {  // varying.size(): all of them
    OtherSizes size{declared.problem, {}};
    for (std::size_t i = 0; i < varying.size(); ++i) {
      const bool is_large = dimension == varying.size() || dimension == i;
      const auto little = 1 + static_cast<long long>(random.below(static_cast<std::uint64_t>(narrow)));
      size.overrides.push_back({varying[i].parameter, is_large ? large : little});
    }
    list.push_back(size);
    for (const unsigned integer : integers) {
      list.push_back(size);
      list.back().overrides.push_back({integer, large});
    }
  };
  const auto add_each = [&](long long large) {
    for (std::size_t i = 0; i < varying.size(); ++i) add(large, i);
  };
  const auto over = [&](long long threshold) { return threshold + 1 + static_cast<long long>(random.below(64)); };
  if (varying.empty()) return list;
  for (unsigned n = 0; n < (varying.size() > 1 ? nearly_square : 0); ++n) {  // for arrays that are alike
    OtherSizes size{declared.problem, {}};
    for (const Size& one : varying)
      size.overrides.push_back({one.parameter, 40 + static_cast<long long>(random.below(5))});
    list.push_back(std::move(size));
  }
  // Words of several vectors, in texts that hold many of them: the word of seven letters, too, may be longer.
  const std::vector<Size> all = sizes_that_vary(spec, declared, sizes, 0);
  for (std::size_t longest = 0; longest < (all.size() > 1 ? all.size() : 0); ++longest) {
    OtherSizes size{declared.problem, {}};
    for (std::size_t i = 0; i < all.size(); ++i)
      size.overrides.push_back(
          {all[i].parameter, (i == longest ? 1024 : 17) + static_cast<long long>(random.below(48))});
    list.push_back(std::move(size));
  }
  add(over(256), varying.size());
  if (varying.size() > 1) add_each(over(256));
  add_each(over(65536));
  for (const long long constant : some_of(constants, random)) add_each(constant);
  add_each(over(32768));
  if (varying.size() > 1) add(over(32768), varying.size());
  return list;
}

}  // namespace hone::judge
