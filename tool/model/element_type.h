// How the memory behind a parameter is laid out, so that the judge can draw, poison and compare it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hone {

enum class ScalarKind { boolean, signed_integer, unsigned_integer, floating };

struct ScalarType {
  ScalarKind kind = ScalarKind::floating;
  unsigned size = 4;   // bytes
  bool brain = false;  // a floating one of two bytes: bfloat16, else binary16
  bool operator==(const ScalarType&) const = default;
};

// `count` consecutive scalars at `offset` bytes from the element's start.
struct Field {
  std::string name;  // "" for an arithmetic element; "pos.x" for nested members
  ScalarType type;
  std::size_t offset = 0;
  std::size_t count = 1;
  bool operator==(const Field&) const = default;
};

// An arithmetic type (one unnamed field), or a plain struct flattened to its arithmetic fields. Bytes that no
// field covers are padding: never compared.
struct ElementType {
  std::string spelling;  // as in the source, for messages
  std::size_t size = 0;
  std::size_t alignment = 1;
  std::vector<Field> fields;
  bool operator==(const ElementType&) const = default;
};

}  // namespace hone
