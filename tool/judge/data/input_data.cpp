#include "tool/judge/data/input_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "tool/judge/data/case.h"
#include "tool/judge/data/distribution.h"
#include "tool/judge/data/draw_pattern.h"
#include "tool/judge/data/npy.h"
#include "tool/judge/data/special_values.h"
#include "tool/judge/data/uniform_fill.h"

namespace hone::judge {
namespace {

// Files are read once per process: every problem, seed and process of a judgment draws from the same ones.
const Result<NpyArray>& file_of(const std::string& path) {
  static std::mutex mutex;
  static std::map<std::string, Result<NpyArray>> files;
  const std::lock_guard lock(mutex);
  auto found = files.find(path);
  if (found == files.end()) found = files.emplace(path, read_npy(path)).first;
  return found->second;
}

template <class T>
void draw_uniform(const Parameter& parameter, const Field& field, Range range, std::size_t elements, std::uint64_t key,
                  std::byte* array) {
  if constexpr (is_filled_in_rows<T>)
    if (field.count == 1 && parameter.element.size == sizeof(T) &&
        reinterpret_cast<std::uintptr_t>(array) % alignof(T) == 0)
      return for_stretches(elements, sizeof(T), [&](std::size_t begin, std::size_t end) {
        fill_uniform(reinterpret_cast<T*>(array), begin, end, range, key);
      });
  each(parameter, field, elements, array,
       [&](std::size_t i, std::byte* at) { store(at, uniform_value<T>(range, bits_at(key, i))); });
}

template <class T>
void draw_permutation(const Parameter& parameter, const Field& field, std::size_t elements, std::uint64_t key,
                      std::byte* array) {
  const std::size_t stride = parameter.element.size;
  const auto at = [&](std::size_t i) { return array + i * stride + field.offset; };
  for (std::size_t i = 0; i < elements; ++i) {  // Fisher and Yates, inside out
    const std::size_t j = below(bits_at(key, i), i + 1);
    store(at(i), load<T>(at(j)));
    store(at(j), from_double<T>(static_cast<double>(i)));
  }
}

template <class T>
void draw_field(const Parameter& parameter, const Case& c, const Field& field, std::uint64_t key, std::size_t elements,
                std::byte* array) {
  const Distribution distribution = parameter.init ? parameter.init->distribution : Distribution::uniform;
  if (distribution == Distribution::uniform || distribution == Distribution::index)
    return draw_uniform<T>(parameter, field, range_of<T>(parameter, c.values), elements, key, array);
  if (distribution == Distribution::sorted) {
    const Range range = range_of<T>(parameter, c.values);
    return each(parameter, field, elements, array, [&](std::size_t i, std::byte* at) {
      store(at, sorted_value<T>(range, i, elements * field.count, bits_at(key, i)));
    });
  }
  if (distribution == Distribution::permutation) return draw_permutation<T>(parameter, field, elements, key, array);
  each(parameter, field, elements, array,
       [&](std::size_t i, std::byte* at) { store(at, value_at<T>(parameter, c.values, bits_at(key, i))); });
}

std::uint64_t array_key(const Case& c, unsigned index) {
  return derive(c.seed, 0xa88a7 + index);
}

Drawn check_file(const Parameter& parameter, const Array& array) {
  const Result<NpyArray>& file = file_of(parameter.init->path);
  if (!file) return tl::unexpected(fmt::format("init({}) cannot be drawn: {}", parameter.name, file.error().message()));
  if (parameter.element.fields.size() != 1 || parameter.element.fields[0].type != file->type)
    return tl::unexpected(fmt::format("init({}) cannot be drawn: {} holds another type than {}", parameter.name,
                                      parameter.init->path, parameter.element.spelling));
  if (file->data.size() < array.bytes)
    return tl::unexpected(fmt::format("init({}) cannot be drawn: {} holds {} elements, the array has {}",
                                      parameter.name, parameter.init->path, file->elements, array.elements));
  return {};
}

}  // namespace

void draw_default_scalar(const Parameter& parameter, std::uint64_t key, runner::Scalar& scalar) {
  const std::uint64_t bits = bits_at(key, 0);
  if (!parameter.enumerators.empty())
    return set_integer(scalar_type(parameter), scalar,
                       parameter.enumerators[below(bits, parameter.enumerators.size())]);
  for (const Field& field : parameter.element.fields)
    visit_scalar(field.type, [&]<class T>(Tag<T>) {
      const Range range = is_floating<T> || std::is_same_v<T, bool> ? default_range<T>() : Range{0, 7};
      if (field.offset + sizeof(T) <= runner::scalar_bytes)
        store(bytes_of(scalar) + field.offset, uniform_value<T>(range, bits_at(bits, field.offset)));
    });
}

Drawn draw_scalar(const Parameter& parameter, const ExpressionValues& values, std::uint64_t key,
                  runner::Scalar& scalar) {
  const Distribution distribution = parameter.init->distribution;
  if (distribution == Distribution::file || distribution == Distribution::permutation ||
      distribution == Distribution::sorted)
    return tl::unexpected(fmt::format("init({}) is for arrays, but {} is a scalar", parameter.name, parameter.name));
  visit_scalar(scalar_type(parameter),
               [&]<class T>(Tag<T>) { store(bytes_of(scalar), value_at<T>(parameter, values, bits_at(key, 0))); });
  return {};
}

Drawn check_draw(const Parameter& parameter, const Case& c, unsigned index) {
  const Array& array = c.arrays[index];
  if (!parameter.init || array.elements == 0) return {};
  if (parameter.init->distribution == Distribution::file) return check_file(parameter, array);
  if (parameter.init->distribution != Distribution::index) return {};
  const Range range = range_of<std::int64_t>(parameter, c.values);
  if (range.high >= range.low) return {};
  return tl::unexpected(
      fmt::format("init({}: index({:.0f}, {:.0f})) is an empty range", parameter.name, range.low, range.high + 1));
}

namespace {

// The parameter as if all of it were drawn as that field of its elements is.
const Parameter& as_member(const Parameter& parameter, const Field& field, Parameter& own) {
  for (const MemberInit& member : parameter.member_inits) {
    if (member.member != field.name) continue;
    own = parameter;
    own.init = member.init;
    return own;
  }
  return parameter;
}

// As the narrow spec has it, each value then in the wide type.
void draw_converted(const Parameter& wide, const Case& c, unsigned index, std::byte* to) {
  const Parameter& narrow = c.drawn_as->parameters[index];
  Case drawn = c;
  drawn.drawn_as = nullptr;
  drawn.arrays[index].bytes = drawn.arrays[index].elements * narrow.element.size;
  std::vector<std::byte> data(drawn.arrays[index].bytes);
  draw_array(narrow, drawn, index, data.data());
  std::memset(to, 0, c.arrays[index].bytes);
  for (std::size_t f = 0; f < wide.element.fields.size(); ++f)
    for (std::size_t i = 0; i < drawn.arrays[index].elements; ++i)
      for (std::size_t k = 0; k < wide.element.fields[f].count; ++k) {
        const Field &from = narrow.element.fields[f], &as = wide.element.fields[f];
        convert(from.type, data.data() + i * narrow.element.size + from.offset + k * from.type.size, as.type,
                to + i * wide.element.size + as.offset + k * as.type.size);
      }
}

}  // namespace

void draw_array(const Parameter& parameter, const Case& c, unsigned index, std::byte* to) {
  if (c.drawn_as) return draw_converted(parameter, c, index, to);
  const Array& array = c.arrays[index];
  if (c.given) {
    const std::string& bytes = c.given->arrays[index];
    std::memcpy(to, bytes.data(), std::min(bytes.size(), array.bytes));
    return;
  }
  if (parameter.init && parameter.init->distribution == Distribution::file) {
    std::memcpy(to, file_of(parameter.init->path)->data.data(), array.bytes);
    return;
  }
  std::size_t covered = 0;
  for (const Field& field : parameter.element.fields) covered += field.count * field.type.size;
  if (covered != parameter.element.size) std::memset(to, 0, array.bytes);  // padding
  std::uint64_t key = array_key(c, index);
  for (const Field& field : parameter.element.fields) {
    Parameter own;
    const Parameter& drawn = as_member(parameter, field, own);
    visit_scalar(field.type, [&]<class T>(Tag<T>) {
      if (is_patterned(drawn, c.pattern, index))
        draw_pattern<T>(drawn, c, field, key, array.elements, to);
      else
        draw_field<T>(drawn, c, field, key, array.elements, to);
      for (const SpecialElement& special : special_elements(drawn, field, c, index))
        store(to + special.element * parameter.element.size + field.offset + special.item * sizeof(T),
              from_double<T>(special.value));
    });
    key = mix(key + 1);
  }
}

namespace {

// Real data keep what holds between them: signs, zeros and nearly every order. Integers may be subscripts, and stay.
void nudge_array(const Parameter& parameter, std::size_t elements, std::byte* array, const Mutation& mutation) {
  Random random(mutation.key);
  for (unsigned n = 0; n < mutation.count && elements > 0; ++n) {
    const std::size_t i = random.below(elements);
    const Field& field = parameter.element.fields[random.below(parameter.element.fields.size())];
    const std::size_t k = random.below(field.count);
    std::byte* const at = array + i * parameter.element.size + field.offset + k * field.type.size;
    if (field.type.kind != ScalarKind::floating) continue;
    visit_scalar(field.type, [&]<class T>(Tag<T>) {
      const double change = (static_cast<double>(random.below(2049)) - 1024) / (1 << 20);
      store(at, from_double<T>(as_double(load<T>(at)) * (1 + change)));
    });
    if (mutation.changed) mutation.changed->push_back(i * parameter.element.size);
  }
}

}  // namespace

void mutate_array(const Parameter& parameter, const Case& c, unsigned index, std::byte* array,
                  const Mutation& mutation) {
  if (c.given) return nudge_array(parameter, c.arrays[index].elements, array, mutation);
  const auto& [count, key, changed] = mutation;
  const std::size_t elements = c.arrays[index].elements, size = parameter.element.size;
  const Distribution distribution = parameter.init ? parameter.init->distribution : Distribution::uniform;
  if (!parameter.member_inits.empty()) return;
  if (elements == 0 || distribution == Distribution::file || distribution == Distribution::constant ||
      distribution == Distribution::zeros)
    return;
  Random random(key);
  for (unsigned n = 0; n < count; ++n) {
    const std::size_t i = random.below(elements);
    if (changed) changed->push_back(i * size);
    if (distribution == Distribution::permutation) {
      const std::size_t other = random.below(elements) * size;
      std::swap_ranges(array + i * size, array + (i + 1) * size, array + other);
      if (changed) changed->push_back(other);
      continue;
    }
    const Field& field = parameter.element.fields[random.below(parameter.element.fields.size())];
    const std::size_t k = random.below(field.count);
    std::byte* at = array + i * size + field.offset + k * field.type.size;
    visit_scalar(field.type, [&]<class T>(Tag<T>) {
      if (distribution == Distribution::sorted)
        store(at, sorted_value<T>(range_of<T>(parameter, c.values), i * field.count + k, elements * field.count,
                                  random.bits()));
      else
        store(at, value_at<T>(parameter, c.values, random.bits()));
    });
  }
}

}  // namespace hone::judge
