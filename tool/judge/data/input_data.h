// Draws the content of arrays and scalars: what init() says, else the default of the element type.
//
// Defaults: floating uniform(-1,1); bool either; bytes their whole range; wider integers -1000…1000 (unsigned 0…2000);
// scalars that no problem assigns: integers 0…7, enumerations one of their enumerators.
// A pure function of the case's seed: any call draws the same, element by element. Errors are sentences without a stop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <tl/expected.hpp>

#include "tool/judge/process/subject.h"
#include "tool/model/kernel_spec.h"

namespace hone::judge {

struct Case;

using Drawn = tl::expected<void, std::string>;

void draw_default_scalar(const Parameter& parameter, std::uint64_t key, runner::Scalar& scalar);
Drawn draw_scalar(const Parameter& parameter, const ExpressionValues& values, std::uint64_t key,
                  runner::Scalar& scalar);

// Can the array be drawn as its init() says, at the case's size?
Drawn check_draw(const Parameter& parameter, const Case& c, unsigned index);

// Fills the whole array of parameter number `index`. check_draw() said yes.
void draw_array(const Parameter& parameter, const Case& c, unsigned index, std::byte* to);

// Where one change of mutate_array() begins; it is not longer than an element.
using Changed = std::vector<std::size_t>;  // bytes from the start of the array

struct Mutation {
  unsigned count = 1;  // elements, about
  std::uint64_t key = 0;
  Changed* changed = nullptr;  // what was changed is added here, unless it is null
};

// Changes elements to others of the same distribution, so that no two calls see the same data. What has a
// structure that single changes would break (files) or but one value stays.
void mutate_array(const Parameter& parameter, const Case& c, unsigned index, std::byte* array,
                  const Mutation& mutation);

}  // namespace hone::judge
