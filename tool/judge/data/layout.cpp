#include "tool/judge/data/layout.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

#include "tool/base/random.h"
#include "tool/judge/data/input_data.h"
#include "tool/judge/data/parallel_blocks.h"

namespace hone::judge {
namespace {

constexpr std::size_t canary_margin = 16u << 10;  // a stray block of 4096 floats shows

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

std::size_t whole_pages(std::size_t bytes) {
  return (std::max<std::size_t>(bytes, 1) + page_size() - 1) / page_size() * page_size();
}

std::byte canary_of(std::uint64_t key) {
  return static_cast<std::byte>(mix(key ^ 0xca4a7) | 1);
}

// Four chains, so that it runs at the memory's pace.
std::uint64_t checksum(const std::byte* from, std::size_t bytes) {
  std::uint64_t sums[4] = {1, 2, 3, 4};
  const auto take = [&](std::uint64_t& sum, const std::byte* at, std::size_t count) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, count);
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
  };
  std::size_t at = 0;
  for (; at + 32 <= bytes; at += 32)
    for (std::size_t lane = 0; lane < 4; ++lane) take(sums[lane], from + at + 8 * lane, 8);
  for (; at < bytes; at += 8) take(sums[0], from + at, std::min<std::size_t>(8, bytes - at));
  return mix(sums[0]) ^ mix(sums[1] + 1) ^ mix(sums[2] + 2) ^ mix(sums[3] + 3);
}

// An odd number of elements, another in each region and case, so that no two arrays are aligned alike.
std::size_t skew_of(const Case& c, std::size_t region, std::size_t element) {
  return element * (1 + 2 * (derive(c.seed, 0xa5ce + region) % 4));
}

// Which parameters share memory, and whether theirs may be written.
struct Group {
  bool output = false;
  std::size_t bytes = 0;
  std::size_t element = 1;  // the largest
  std::size_t skew = 0;
  int region = -1;
};

}  // namespace

Layout lay_out(const KernelData& spec, const Case& c, Overlap overlap, Guard guard) {
  const std::size_t margin = guard == Guard::canaries ? canary_margin : 0;
  std::map<int, Group> groups;  // alias groups; a parameter of its own is group -2-index
  const auto has_memory = [&](unsigned i) {
    return spec.parameters[i].pointer && std::ranges::find(c.nulls, i) == c.nulls.end();
  };
  const auto is_shared = [&](unsigned i) { return overlap.any && spec.parameters[i].alias_group >= 0; };
  const auto group_of = [&](unsigned i) -> Group& {
    return groups[is_shared(i) ? spec.parameters[i].alias_group : -2 - static_cast<int>(i)];
  };
  // Whole elements of the largest type, so that all stay aligned.
  const auto shift_of = [&](unsigned i, const Group& group) {
    const bool moves = is_shared(i) && (overlap.shift > 0) == (spec.parameters[i].role != Role::in);
    return moves ? static_cast<std::size_t>(std::abs(overlap.shift)) * group.element : 0;
  };
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    if (!has_memory(i)) continue;
    Group& group = group_of(i);
    group.output |= spec.parameters[i].role != Role::in;
    group.element = std::max(group.element, spec.parameters[i].element.size);
  }
  for (unsigned i = 0; i < spec.parameters.size(); ++i)
    if (has_memory(i)) {
      Group& group = group_of(i);
      group.bytes = std::max(group.bytes, shift_of(i, group) + c.arrays[i].bytes);
    }
  Layout layout;
  layout.places.resize(spec.parameters.size());
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    if (!has_memory(i)) continue;
    Group& group = group_of(i);
    if (group.region < 0) {
      std::size_t& end = group.output ? layout.output_bytes : layout.input_bytes;
      group.region = static_cast<int>(layout.regions.size());
      const bool empty = group.bytes == 0 && guard == Guard::pages;
      group.skew = empty ? 0 : skew_of(c, layout.regions.size(), group.element);
      const std::size_t length = empty ? 0 : whole_pages(group.bytes + group.skew) + 2 * margin;
      layout.regions.push_back({.offset = end, .length = length, .output = group.output, .populate = 0});
      end += length;
    }
    const runner::Region& region = layout.regions[static_cast<std::size_t>(group.region)];
    layout.places[i] = {.region = group.region,
                        .output = group.output,
                        .offset = region.offset,
                        .length = region.length,
                        .block = group.bytes,
                        .shift = shift_of(i, group),
                        .margin = margin,
                        .skew = group.skew,
                        .bytes = c.arrays[i].bytes,
                        .lead = c.arrays[i].lead * spec.parameters[i].element.size};
  }
  return layout;
}

std::vector<runner::Binding> bindings_of(const KernelData& spec, const Layout& layout, Ends ends) {
  std::vector<runner::Binding> bindings;
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    const Place& place = layout.places[i];
    runner::Binding binding{.region = spec.parameters[i].stream                        ? runner::stream_region
                                      : spec.parameters[i].pointer && place.region < 0 ? runner::null_region
                                                                                       : place.region};
    if (place.region >= 0) {
      binding.copy_in = 1;
      binding.copy_out = place.output;
      binding.alignment = static_cast<std::uint32_t>(spec.parameters[i].element.alignment);
      binding.offset = place.at(ends) - place.offset;
      binding.bytes = place.bytes;
      binding.lead = place.lead;
    }
    bindings.push_back(binding);
  }
  return bindings;
}

void place_inputs(const KernelData& spec, const Case& c, const Layout& layout, Ends ends, const SharedMemory& inputs) {
  for (unsigned i = 0; i < spec.parameters.size(); ++i)
    if (layout.places[i].region >= 0 && !layout.places[i].output)
      draw_array(spec.parameters[i], c, i, inputs.data() + layout.places[i].at(ends));
}

Poison poison_of(const KernelData& spec, unsigned parameter, std::uint64_t poison_key) {
  const std::uint64_t key = derive(poison_key, parameter);
  return Poison(spec.parameters[parameter].element, poison_key & 1 ? poison_of_numbers(key) : poison_of_nan(key));
}

void place_outputs(const KernelData& spec, const Case& c, const Layout& layout, Ends ends, const SharedMemory& outputs,
                   std::uint64_t poison_key) {
  for (const bool drawn : {false, true})  // drawn data last: where memory is shared, an input's content stands
    for (unsigned i = 0; i < spec.parameters.size(); ++i) {
      const Place& place = layout.places[i];
      if (place.region < 0 || !place.output || (spec.parameters[i].role != Role::out) != drawn) continue;
      if (drawn)
        draw_array(spec.parameters[i], c, i, outputs.data() + place.at(ends));
      else
        poison_of(spec, i, poison_key).fill(outputs.data() + place.at(ends), place.bytes);
    }
}

void place_canaries(const PlacedArrays& arrays, std::uint64_t key) {
  const auto& [layout, output, ends, file] = arrays;
  const std::byte canary = canary_of(key);
  for (const Place& place : layout.places) {
    if (place.region < 0 || place.output != output) continue;
    std::byte* region = file.data() + place.offset;
    std::byte* block = file.data() + place.block_at(ends);
    std::fill(region, block, canary);
    std::fill(block + place.block, region + place.length, canary);
  }
}

std::string disturbed_canary(const KernelData& spec, const Case& c, const PlacedArrays& arrays, std::uint64_t key) {
  const auto& [layout, output, ends, file] = arrays;
  const auto intact = [canary = canary_of(key)](std::byte b) { return b == canary; };
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    const Place& place = layout.places[i];
    if (place.region < 0 || place.output != output) continue;
    const std::byte* region = file.data() + place.offset;
    const std::byte* block = file.data() + place.block_at(ends);
    const std::byte* before = std::find_if_not(region, block, intact);
    const std::byte* after = std::find_if_not(block + place.block, region + place.length, intact);
    const std::byte* wrong = before != block ? before : after;
    if (before == block && after == region + place.length) continue;
    const auto size = static_cast<long long>(spec.parameters[i].element.size);
    const long long offset = wrong - (file.data() + place.at(ends));
    const long long element = offset >= 0 ? offset / size : (offset - size + 1) / size;
    return fmt::format("wrote {}, {}", element_name(spec.parameters[i], c.arrays[i], element),
                       distance_from(spec.parameters[i], c.arrays[i], element));
  }
  return "";
}

std::uint64_t checksum(const Layout& layout, Ends ends, const SharedMemory& inputs) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < layout.places.size(); ++i) {
    const Place& place = layout.places[i];
    if (place.region < 0 || place.output) continue;
    const std::byte* array = inputs.data() + place.at(ends);
    std::vector<std::uint64_t> parts((place.bytes + block_bytes - 1) / block_bytes);
    for_stretches(place.bytes, 1, [&](std::size_t begin, std::size_t end) {
      parts[begin / block_bytes] = checksum(array + begin, end - begin);
    });
    for (std::size_t n = 0; n < parts.size(); ++n) sum += mix(parts[n] ^ derive(i, n));
  }
  return sum;
}

std::string element_name(const Parameter& parameter, const Array& array, long long element, const std::string& field) {
  std::string name = parameter.name;
  if (name == "this" && !field.empty()) return "this->" + field;  // a member function's object
  if (array.spans.size() <= 1 || element < 0 || static_cast<std::size_t>(element) >= array.elements) {
    name += fmt::format("[{}]", element - static_cast<long long>(array.lead));
  } else {
    std::string indices;
    auto lead = static_cast<long long>(array.lead);
    for (std::size_t d = array.spans.size(); d-- > 0;) {
      const long long size = array.spans[d].size();
      const long long before = d == 0 ? lead : 0;
      indices = fmt::format("[{}]", (d == 0 ? element : element % size) - before) + indices;
      element /= size;
      lead /= size;
    }
    name += indices;
  }
  return field.empty() ? name : name + "." + field;
}

std::string distance_from(const Parameter& parameter, const Array& array, long long element) {
  const auto count = [](long long n) { return n == 1 ? std::string("one element") : fmt::format("{} elements", n); };
  if (element < 0) return fmt::format("{} before the start of {}", count(-element), parameter.name);
  const long long past = element - static_cast<long long>(array.elements) + 1;
  return past > 0 ? fmt::format("{} past the end of {}", count(past), parameter.name) : "";
}

}  // namespace hone::judge
