#include "tool/proof/object_memory.h"

#include <set>

namespace hone::proof {
namespace {

constexpr std::size_t most_bytes = 1 << 18;  // each byte has an entry of its own

std::size_t bytes_of(const Value& value) {
  if (value.is_pointer()) return 8;
  if (value.kind == Value::Kind::integer) return 8;
  return value.is_bits() ? (value.bits.width() + 7) / 8 : 0;
}

// How many bytes from `from` on are consecutive ones of one value.
std::size_t stretch(const Byte* from, std::size_t count) {
  std::size_t length = 1;
  while (length < count && from[length].value.same(from->value) &&
         (!from->value.defined() || from[length].index == from->index + length))
    ++length;
  return length;
}

Term bits_of(Logic& logic, const Byte& first, std::size_t bytes) {
  const unsigned width = static_cast<unsigned>(8 * bytes);
  if (!first.value.defined()) return logic.fresh(width, "undefined");
  if (!first.value.is_bits()) throw Unsupported("parts of pointers");
  const Term whole = logic.widen(first.value.bits, static_cast<unsigned>(8 * bytes_of(first.value)), false);
  return logic.extract(whole, 8 * first.index, width);
}

}  // namespace

Value joined(Logic& logic, const Byte* bytes, std::size_t count) {
  const std::size_t first = stretch(bytes, count);
  if (first == count && bytes->index == 0 && bytes_of(bytes->value) == count) {
    const Value& value = bytes->value;
    return value.is_bits() && value.bits.width() != 8 * count
               ? Value::of(logic.widen(value.bits, static_cast<unsigned>(8 * count), false))
               : value;
  }
  bool defined = false;
  for (std::size_t i = 0; i < count; ++i) defined |= bytes[i].value.defined();
  if (!defined) return {};
  Term term;
  for (std::size_t at = 0; at < count;) {
    const std::size_t length = bytes[at].value.defined() ? stretch(bytes + at, count - at) : 1;
    const Term part = bits_of(logic, bytes[at], length);
    term = at == 0 ? part : logic.join(part, term);
    at += length;
  }
  return Value::of(term);
}

unsigned Space::add(Object object) {
  if (object.bytes > most_bytes) throw Unsupported("large arrays of its own");
  objects_.push_back(std::move(object));
  return static_cast<unsigned>(objects_.size() - 1);
}

void Space::begin_with(unsigned object, std::shared_ptr<const Content> content, bool writable) {
  objects_[object].initial = std::move(content);
  objects_[object].writable = writable;
}

Term Space::address(const Place& place) {
  if (place.object == 0) return offset(logic_, place);
  Object& object = objects_[place.object];
  if (object.base.width() == 0) {
    object.base = logic_.fresh(64, "address");
    const auto end = [&](const Object& of) {
      return logic_.compute(Operation::add, of.base, logic_.number(64, of.bytes + 1));
    };
    facts_.push_back(logic_.compare(Relation::ult, logic_.number(64, 4095), object.base));
    facts_.push_back(logic_.compare(Relation::ult, object.base, logic_.number(64, std::uint64_t{1} << 46)));
    facts_.push_back(
        logic_.compare(Relation::eq, logic_.number(64, 0),
                       logic_.compute(Operation::uremainder, object.base, logic_.number(64, object.alignment))));
    for (const Object& other : objects_)
      if (&other != &object && other.base.width() != 0)
        facts_.push_back(logic_.either(logic_.compare(Relation::ule, end(object), other.base),
                                       logic_.compare(Relation::ule, end(other), object.base)));
  }
  return logic_.compute(Operation::add, object.base, offset(logic_, place));
}

const Content& Memory::content(unsigned object) const {
  const auto found = contents_.find(object);
  return found == contents_.end() ? *(*space_)[object].initial : *found->second;
}

Content& Memory::changed(unsigned object) {
  auto& content = contents_[object];
  if (!content)
    content = std::make_shared<Content>(*(*space_)[object].initial);
  else if (content.use_count() > 1)
    content = std::make_shared<Content>(*content);
  return *content;
}

Value Memory::read(unsigned object, std::size_t at, std::size_t bytes) const {
  return joined(space_->logic(), content(object).data() + at, bytes);
}

void Memory::write(unsigned object, std::size_t at, const Value& value, std::size_t bytes) {
  Content& content = changed(object);
  for (std::size_t i = 0; i < bytes; ++i) content[at + i] = {value, static_cast<unsigned>(i)};
}

namespace {

void merge(Logic& logic, const Term& condition, const Content& then, Content& otherwise) {
  for (std::size_t at = 0; at < then.size();) {
    const std::size_t rest = then.size() - at;
    const std::size_t length = std::min(stretch(&then[at], rest), stretch(&otherwise[at], rest));
    const bool same = then[at].index == otherwise[at].index && then[at].value.same(otherwise[at].value);
    if (!same) {
      const Value value =
          choose(logic, condition, joined(logic, &then[at], length), joined(logic, &otherwise[at], length));
      for (std::size_t i = 0; i < length; ++i) otherwise[at + i] = {value, static_cast<unsigned>(i)};
    }
    at += length;
  }
}

}  // namespace

Memory Memory::chosen(const Term& condition, const Memory& then, const Memory& otherwise) {
  Memory memory = otherwise;
  for (const auto& [object, content] : then.contents_) {
    auto& other = memory.contents_[object];
    if (other == content) continue;
    if (!other)
      other = std::make_shared<Content>(*(*memory.space_)[object].initial);
    else
      other = std::make_shared<Content>(*other);
    merge(memory.space_->logic(), condition, *content, *other);
  }
  for (auto& [object, content] : memory.contents_)
    if (!then.contents_.contains(object)) {
      content = std::make_shared<Content>(*content);
      merge(memory.space_->logic(), condition, *(*memory.space_)[object].initial, *content);
    }
  return memory;
}

}  // namespace hone::proof
