#include "tool/evaluate/layout.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "tool/evaluate/draw.h"
#include "tool/evaluate/random.h"

namespace hone::evaluate {
namespace {

constexpr std::byte canary{0xb5};

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

std::size_t whole_pages(std::size_t bytes) {
  return (std::max<std::size_t>(bytes, 1) + page_size() - 1) / page_size() * page_size();
}

// Which parameters share memory, and whether theirs may be written.
struct Group {
  bool output = false;
  std::size_t bytes = 0;
  int region = -1;
};

}  // namespace

Layout lay_out(const KernelSpec& spec, const Case& c, bool overlap) {
  std::map<int, Group> groups;  // alias groups; a parameter of its own is group -2-index
  const auto group_of = [&](unsigned i) -> Group& {
    const int alias = overlap ? spec.parameters[i].alias_group : -1;
    return groups[alias >= 0 ? alias : -2 - static_cast<int>(i)];
  };
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    if (!spec.parameters[i].pointer) continue;
    Group& group = group_of(i);
    group.output |= spec.parameters[i].role != Role::in;
    group.bytes = std::max(group.bytes, c.arrays[i].bytes);
  }
  Layout layout;
  layout.places.resize(spec.parameters.size());
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    if (!spec.parameters[i].pointer) continue;
    Group& group = group_of(i);
    Place& place = layout.places[i];
    if (group.region < 0) {
      std::size_t& end = group.output ? layout.output_bytes : layout.input_bytes;
      group.region = static_cast<int>(layout.regions.size());
      layout.regions.push_back(
          {.offset = end, .length = whole_pages(group.bytes), .output = group.output, .populate = 0});
      end += whole_pages(group.bytes);
    }
    const worker::Region& region = layout.regions[static_cast<std::size_t>(group.region)];
    place = {group.region, group.output, region.offset, region.length, group.bytes};
  }
  return layout;
}

std::vector<worker::Binding> bindings_of(const KernelSpec& spec, const Layout& layout, Ends ends) {
  std::vector<worker::Binding> bindings;
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    const Place& place = layout.places[i];
    worker::Binding binding{.region = place.region};
    if (place.region >= 0) {
      binding.copy_in = 1;
      binding.copy_out = place.output;
      binding.alignment = static_cast<std::uint32_t>(spec.parameters[i].element.alignment);
      binding.offset = place.at(ends) - place.offset;
      binding.bytes = place.bytes;
    }
    bindings.push_back(binding);
  }
  return bindings;
}

void place_inputs(const KernelSpec& spec, const Case& c, const Layout& layout, Ends ends, const MemoryFile& inputs) {
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    const Place& place = layout.places[i];
    if (place.region < 0 || place.output) continue;
    std::byte* region = inputs.data() + place.offset;
    std::byte* array = inputs.data() + place.at(ends);
    std::fill(region, array, canary);
    std::fill(array + place.bytes, region + place.length, canary);
    draw_array(spec.parameters[i], c, i, array);
  }
}

Poison poison_of(const KernelSpec& spec, unsigned parameter, std::uint64_t poison_key) {
  return Poison(spec.parameters[parameter].element, derive(poison_key, parameter));
}

void place_outputs(const KernelSpec& spec, const Case& c, const Layout& layout, Ends ends, const MemoryFile& outputs,
                   std::uint64_t poison_key) {
  std::vector<bool> started(layout.regions.size());
  for (const bool drawn : {false, true})  // drawn data last: where memory is shared, an input's content stands
    for (unsigned i = 0; i < spec.parameters.size(); ++i) {
      const Place& place = layout.places[i];
      if (place.region < 0 || !place.output || (spec.parameters[i].role != Role::out) != drawn) continue;
      std::byte* region = outputs.data() + place.offset;
      std::byte* array = outputs.data() + place.at(ends);
      if (!started[static_cast<std::size_t>(place.region)]) {
        started[static_cast<std::size_t>(place.region)] = true;
        std::fill(region, array, canary);
        std::fill(array + place.bytes, region + place.length, canary);
        poison_of(spec, i, poison_key).fill(array, place.bytes);
      }
      if (drawn) draw_array(spec.parameters[i], c, i, array);
    }
}

std::string disturbed_canary(const KernelSpec& spec, const Case& c, const Layout& layout, Ends ends,
                             const MemoryFile& outputs) {
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    const Place& place = layout.places[i];
    if (place.region < 0 || !place.output) continue;
    const std::byte* region = outputs.data() + place.offset;
    const std::byte* array = outputs.data() + place.at(ends);
    const auto intact = [](std::byte b) { return b == canary; };
    const std::byte* before = std::find_if_not(region, array, intact);
    const std::byte* after = std::find_if_not(array + place.bytes, region + place.length, intact);
    const std::byte* wrong = before != array ? before : after;
    if (before == array && after == region + place.length) continue;
    const auto size = static_cast<long long>(spec.parameters[i].element.size);
    const long long offset = wrong - array;
    const long long element = offset >= 0 ? offset / size : (offset - size + 1) / size;
    return fmt::format("wrote {}, {}", element_name(spec.parameters[i], c.arrays[i], element),
                       distance_from(spec.parameters[i], c.arrays[i], element));
  }
  return "";
}

std::uint64_t checksum(const Layout& layout, const MemoryFile& inputs) {
  std::uint64_t sums[4] = {1, 2, 3, 4};  // four chains, so that it runs at the memory's pace
  for (std::size_t at = 0; at + 32 <= layout.input_bytes; at += 32)
    for (std::size_t lane = 0; lane < 4; ++lane) {
      std::uint64_t word;
      std::memcpy(&word, inputs.data() + at + 8 * lane, sizeof word);
      sums[lane] = (sums[lane] ^ word) * 0x9e3779b97f4a7c15u;
    }
  return mix(sums[0]) ^ mix(sums[1] + 1) ^ mix(sums[2] + 2) ^ mix(sums[3] + 3);
}

std::string element_name(const Parameter& parameter, const Array& array, long long element, const std::string& field) {
  std::string name = parameter.name;
  if (array.spans.size() <= 1 || element < 0 || static_cast<std::size_t>(element) >= array.elements) {
    name += fmt::format("[{}]", element);
  } else {
    std::string indices;
    for (std::size_t d = array.spans.size(); d-- > 0;) {
      const long long size = array.spans[d].start + array.spans[d].length;
      indices = fmt::format("[{}]", element % size) + indices;
      element /= size;
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

}  // namespace hone::evaluate
