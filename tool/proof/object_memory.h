// Memory as objects of known size, each byte of which is a part of a value.
//
// Objects are told apart for good: a pointer never leads from one into another. What they hold is copied when it is
// written, so that the two ways of a branch share what neither changes. Reads and writes at unknown places go over all
// places that are possible.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tool/proof/value.h"

namespace hone::proof {

struct Byte {
  Value value;
  unsigned index = 0;  // of the value's bytes, the lowest first
};

using Content = std::vector<Byte>;

struct Object {
  std::string name;
  std::size_t bytes = 0;
  bool writable = true;
  std::uint64_t alignment = 1;
  std::shared_ptr<const Content> initial;
  Term base;  // the address, where it was asked for
};

// The objects themselves, which both sides know.
class Space {
 public:
  explicit Space(Logic& logic) : logic_(logic) { objects_.push_back({"null"}); }
  Logic& logic() { return logic_; }
  unsigned add(Object object);  // never 0, which is the null pointer's
  const Object& operator[](unsigned object) const { return objects_[object]; }
  // Sets what an object holds before anything runs, where that was not known when it was added.
  void begin_with(unsigned object, std::shared_ptr<const Content> content, bool writable);
  Term address(const Place& place);
  // What is true of all addresses asked for so far.
  const std::vector<Term>& facts() const { return facts_; }

 private:
  Logic& logic_;
  std::vector<Object> objects_;
  std::vector<Term> facts_;
};

// The state of all objects.
class Memory {
 public:
  explicit Memory(Space& space) : space_(&space) {}

  // Reads at a place that does not move and is in bounds.
  Value read(unsigned object, std::size_t at, std::size_t bytes) const;
  void write(unsigned object, std::size_t at, const Value& value, std::size_t bytes);
  const Content& content(unsigned object) const;
  Content& changed(unsigned object);

  static Memory chosen(const Term& condition, const Memory& then, const Memory& otherwise);

 private:
  Space* space_;
  std::map<unsigned, std::shared_ptr<Content>> contents_;
};

// A value of bytes that come from several values.
Value joined(Logic& logic, const Byte* bytes, std::size_t count);

}  // namespace hone::proof
