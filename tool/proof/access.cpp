// Loads, stores and the places that pointers lead to.
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

#include "tool/proof/machine.h"

namespace hone::proof {
namespace {

// Formulas grow with each place: beyond this z3 finds no answer in time.
constexpr std::size_t most_places = 4096, most_loaded = 16;

}  // namespace

Value Machine::ahead(const Value& pointer, std::int64_t bytes) {
  if (!pointer.is_pointer()) throw Unsupported("a pointer that nothing has written");
  if (bytes == 0) return pointer;
  std::vector<Place> places = *pointer.places;
  for (Place& place : places) place.fixed += bytes;
  return Value::pointer(std::move(places));
}

Value Machine::moved_pointer(const Code& code, Way& way, const llvm::Instruction& instruction) {
  const auto& moving = llvm::cast<llvm::GEPOperator>(instruction);
  if (instruction.getType()->isVectorTy()) throw Unsupported("vectors of pointers");
  llvm::MapVector<llvm::Value*, llvm::APInt> variable;
  llvm::APInt fixed(64, 0);
  if (!moving.collectOffset(module_.getDataLayout(), 64, variable, fixed)) throw Unsupported("scalable vectors");
  Value pointer = ahead(operand(code, way, moving.getPointerOperand()), fixed.getSExtValue());
  std::vector<Place> places = *pointer.places;
  for (const auto& [index, scale] : variable) {
    const Value by = operand(code, way, index);
    if (!by.defined()) throw Unsupported("an index that nothing has written");
    const Term term = bits(by);
    for (Place& place : places)
      place = scale.isNegative() ? moved(logic_, std::move(place),
                                         logic_.compute(Operation::subtract, logic_.number(term.width(), 0), term),
                                         static_cast<std::uint64_t>(-scale.getSExtValue()))
                                 : moved(logic_, std::move(place), term, scale.getZExtValue());
  }
  return Value::pointer(std::move(places));
}

Term Machine::fits(const Place& place, std::size_t bytes) {
  const std::size_t size = space_[place.object].bytes;
  if (place.object == 0 || bytes > size) return logic_.truth(false);
  return logic_.compare(Relation::ule, offset(logic_, place), logic_.number(64, size - bytes));
}

// All that it may be.
std::vector<std::int64_t> Machine::possible_places(const Place& place, std::size_t bytes) const {
  const auto size = static_cast<std::int64_t>(space_[place.object].bytes), needed = static_cast<std::int64_t>(bytes);
  std::vector<std::int64_t> places;
  const auto stride = static_cast<std::int64_t>(std::max<std::uint64_t>(place.stride, 1));
  std::int64_t first = place.fixed % stride;
  if (first < 0) first += stride;
  for (std::int64_t at = first; at + needed <= size; at += stride) {
    places.push_back(at);
    if (places.size() > most_places) throw Unsupported("an index of many possible values");
  }
  return places;
}

// Whether it may be looked at at all.
bool Machine::check_bounds(Way& way, const Place& place, std::size_t bytes, bool writes) {
  const Object& object = space_[place.object];
  const Term inside = fits(place, bytes);
  happen(
      way, logic_.both(place.when, logic_.negate(inside)),
      (writes ? "it writes outside of " : "it reads outside of ") + (object.name.empty() ? "its memory" : object.name));
  if (writes && !object.writable) happen(way, logic_.both(place.when, inside), "it writes to " + object.name);
  return !inside.is(false) && (!writes || object.writable);
}

Value Machine::load_bytes(Way& way, const Value& pointer, std::size_t bytes) {
  if (!pointer.is_pointer()) throw Unsupported("a read through a pointer that nothing has written");
  Value result;
  bool any = false;
  for (const Place& place : *pointer.places) {
    if (!check_bounds(way, place, bytes, false)) continue;
    Value value;
    if (!place.moves()) {
      value = way.memory.read(place.object, static_cast<std::size_t>(place.fixed), bytes);
    } else {
      Loaded loaded{{}, place.moving, place.object, place.fixed, {}};
      bool first = true;
      for (const std::int64_t at : possible_places(place, bytes)) {
        effort_.step();
        const Value here = way.memory.read(place.object, static_cast<std::size_t>(at), bytes);
        const Term is =
            logic_.compare(Relation::eq, place.moving, logic_.number(64, static_cast<std::uint64_t>(at - place.fixed)));
        value = first ? here : choose(logic_, is, here, value);
        first = false;
        if (here.is_bits()) loaded.at.emplace_back(at, here.bits);
      }
      if (value.is_bits() && !value.bits.known()) {
        loaded.value = value.bits;
        if (loaded_.size() >= most_loaded) loaded_.erase(loaded_.begin());
        loaded_.push_back(std::move(loaded));
      }
    }
    result = any ? choose(logic_, place.when, value, result) : value;
    any = true;
  }
  return result;
}

void Machine::store_bytes(Way& way, const Value& pointer, const Value& value, std::size_t bytes) {
  if (!pointer.is_pointer()) throw Unsupported("a write through a pointer that nothing has written");
  for (const Place& place : *pointer.places) {
    if (!check_bounds(way, place, bytes, true)) continue;
    const auto put = [&](std::int64_t at, const Term& when, const Value& what) {
      const auto here = static_cast<std::size_t>(at);
      const Value now = when.is(true) ? what : choose(logic_, when, what, way.memory.read(place.object, here, bytes));
      way.memory.write(place.object, here, now, bytes);
    };
    if (!place.moves()) {
      put(place.fixed, place.when, value);
      continue;
    }
    for (const std::int64_t at : possible_places(place, bytes)) {
      effort_.step();
      Value here = value;
      for (const Loaded& loaded : loaded_)
        if (value.is_bits() && loaded.object == place.object && loaded.fixed == place.fixed &&
            loaded.moving.same(place.moving))
          for (const auto& [where, was] : loaded.at)
            if (where == at) here = Value::of(logic_.substituted(here.bits, loaded.value, was));
      const Term is =
          logic_.compare(Relation::eq, place.moving, logic_.number(64, static_cast<std::uint64_t>(at - place.fixed)));
      put(at, logic_.both(place.when, is), here);
    }
  }
}

Value Machine::load(Way& way, const Value& pointer, llvm::Type* type) {
  const llvm::DataLayout& layout = module_.getDataLayout();
  std::vector<Value> items;
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    const unsigned width = static_cast<unsigned>(layout.getTypeSizeInBits(vector->getElementType()));
    if (width % 8 != 0) throw Unsupported("vectors of bits in memory");
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      items.push_back(load(way, ahead(pointer, i * (width / 8)), vector->getElementType()));
    return Value::list(std::move(items));
  }
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      items.push_back(
          load(way, ahead(pointer, static_cast<std::int64_t>(layout.getStructLayout(structure)->getElementOffset(i))),
               structure->getElementType(i)));
    return Value::list(std::move(items));
  }
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const auto each = static_cast<std::int64_t>(layout.getTypeAllocSize(array->getElementType()));
    for (unsigned i = 0; i < array->getNumElements(); ++i)
      items.push_back(load(way, ahead(pointer, i * each), array->getElementType()));
    return Value::list(std::move(items));
  }
  if (type->isX86_FP80Ty() || type->isFP128Ty()) throw Unsupported("long double");
  const Value value = load_bytes(way, pointer, layout.getTypeStoreSize(type));
  const unsigned width = type->isPointerTy() ? 64 : type->getPrimitiveSizeInBits();
  return value.is_bits() && value.bits.width() != width ? Value::of(logic_.extract(value.bits, 0, width)) : value;
}

void Machine::store(Way& way, const Value& pointer, const Value& value, llvm::Type* type) {
  const llvm::DataLayout& layout = module_.getDataLayout();
  const auto item = [&](unsigned i) { return value.is_list() ? (*value.items)[i] : Value(); };
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    const unsigned width = static_cast<unsigned>(layout.getTypeSizeInBits(vector->getElementType()));
    if (width % 8 != 0) throw Unsupported("vectors of bits in memory");
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      store(way, ahead(pointer, i * (width / 8)), item(i), vector->getElementType());
  } else if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      store(way, ahead(pointer, static_cast<std::int64_t>(layout.getStructLayout(structure)->getElementOffset(i))),
            item(i), structure->getElementType(i));
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const auto each = static_cast<std::int64_t>(layout.getTypeAllocSize(array->getElementType()));
    for (unsigned i = 0; i < array->getNumElements(); ++i)
      store(way, ahead(pointer, i * each), item(i), array->getElementType());
  } else {
    if (type->isX86_FP80Ty() || type->isFP128Ty()) throw Unsupported("long double");
    const std::size_t bytes = layout.getTypeStoreSize(type);
    const bool odd = value.is_bits() && value.bits.width() != 8 * bytes;
    store_bytes(way, pointer,
                odd ? Value::of(logic_.widen(value.bits, static_cast<unsigned>(8 * bytes), false)) : value, bytes);
  }
}

}  // namespace hone::proof
