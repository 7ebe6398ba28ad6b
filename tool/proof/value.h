// What a register or some bytes of memory hold.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tool/proof/logic.h"

namespace hone::proof {

// Thrown at what is beyond this program. Nothing is said of the kernel then.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A place in an object: `fixed` bytes from its start and `moving` more, which are a multiple of `stride`.
struct Place {
  Term when;  // among several, one alone holds
  unsigned object = 0;
  std::int64_t fixed = 0;
  Term moving;  // 64 bits; without a width: none
  std::uint64_t stride = 0;

  bool moves() const { return moving.width() != 0; }
};

struct Value {
  enum class Kind {
    undefined,
    bits,     // an integer, or a floating number's representation
    pointer,  // or the integer that it was made into
    integer,  // a floating number equal to the integer in `bits`, which has a bit for the sign
    list      // a vector or an aggregate
  };
  Kind kind = Kind::undefined;
  Term bits;
  std::shared_ptr<const std::vector<Place>> places;
  std::shared_ptr<const std::vector<Value>> items;

  static Value of(Term term) { return {Kind::bits, std::move(term), nullptr, nullptr}; }
  static Value pointer(std::vector<Place> places) {
    return {Kind::pointer, {}, std::make_shared<const std::vector<Place>>(std::move(places)), nullptr};
  }
  static Value list(std::vector<Value> items) {
    return {Kind::list, {}, nullptr, std::make_shared<const std::vector<Value>>(std::move(items))};
  }
  bool defined() const { return kind != Kind::undefined; }
  bool is_bits() const { return kind == Kind::bits; }
  bool is_pointer() const { return kind == Kind::pointer; }
  bool is_list() const { return kind == Kind::list; }
  bool same(const Value& other) const;
};

// One value or the other. Where they differ in kind, the result is a value that nothing is known of.
Value choose(Logic& logic, const Term& condition, const Value& then, const Value& otherwise);

// A place that is some bytes further.
Place moved(Logic& logic, Place place, std::int64_t bytes);
Place moved(Logic& logic, Place place, const Term& index, std::uint64_t scale);

// Bytes from the object's start, 64 bits.
Term offset(Logic& logic, const Place& place);

}  // namespace hone::proof
