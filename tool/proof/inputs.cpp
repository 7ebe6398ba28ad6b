#include "tool/proof/inputs.h"

#include <bit>
#include <cmath>

namespace hone::proof {
namespace {

constexpr unsigned wide = 66;  // holds every 64-bit integer with a sign, and their sum
constexpr std::size_t scalar_bytes = 16, result_bytes = 256, most_array_bytes = 16384;

bool is_whole(const ScalarType& type) {
  return type.kind != ScalarKind::floating;
}

Value undefined_content() {
  return {};
}

void put(Content& content, std::size_t at, const Term& term) {
  for (unsigned i = 0; i < term.width() / 8; ++i) content[at + i] = {Value::of(term), i};
}

llvm::APInt whole(double value) {
  llvm::APInt number(wide, 0);
  const bool negative = value < 0;
  const double size = std::min(std::abs(value), 0x1p64);
  number = llvm::APInt(wide, size >= 0x1p64 ? ~0ull : static_cast<std::uint64_t>(size));
  return negative ? -number : number;
}

}  // namespace

Inputs::Inputs(Space& space, const KernelData& spec, const Given& given)
    : space_(space), logic_(space.logic()), spec_(spec), arrays_(spec.parameters.size()) {
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    const Parameter& parameter = spec.parameters[i];
    const auto found = given.find(i);
    objects_.push_back(parameter.pointer ? 0 : new_scalar(parameter, found == given.end() ? nullptr : &found->second));
  }
  Object result{.name = "its result", .bytes = result_bytes, .alignment = 16};
  result.initial = std::make_shared<const Content>(result.bytes, Byte{undefined_content(), 0});
  result_ = space_.add(std::move(result));
  point_slots();
}

Value Inputs::pointer_to(unsigned object) const {
  return Value::pointer({{logic_.truth(true), object, 0, {}, 0}});
}

void Inputs::point_slots() {
  Object slots{.name = "the arguments",
               .bytes = 8 * std::max<std::size_t>(spec_.parameters.size(), 1),
               .writable = false,
               .alignment = 8};
  Content content(slots.bytes);
  for (std::size_t i = 0; i < objects_.size(); ++i)
    for (unsigned k = 0; k < 8; ++k) content[8 * i + k] = {pointer_to(objects_[i]), k};
  slots.initial = std::make_shared<const Content>(std::move(content));
  slots_ = space_.add(std::move(slots));
}

// A bool is 0 or 1, an enumeration one of its values.
Term Inputs::fresh_field(const Parameter& parameter, const Field& field, const Range& range) {
  if (field.type.size > 8) throw Unsupported("long double");
  const std::string& name = parameter.name;
  if (field.type.kind == ScalarKind::boolean) return logic_.widen(logic_.fresh(1, name), 8, false);
  const Term term = logic_.fresh(8 * field.type.size, name);
  if (!is_whole(field.type)) return term;
  const Term value = logic_.widen(term, wide, field.type.kind == ScalarKind::signed_integer);
  if (range.low) facts_.push_back(logic_.compare(Relation::sle, *range.low, value));
  if (range.high) facts_.push_back(logic_.compare(Relation::sle, value, *range.high));
  if (parameter.enumerators.empty()) return term;
  Term one_of = logic_.truth(false);
  for (const long long enumerator : parameter.enumerators)
    one_of = logic_.either(one_of, logic_.compare(Relation::eq, term,
                                                  logic_.number(term.width(), static_cast<std::uint64_t>(enumerator))));
  facts_.push_back(one_of);
  return term;
}

unsigned Inputs::new_scalar(const Parameter& parameter, const long long* given) {
  Object object{.name = parameter.name, .bytes = std::max(scalar_bytes, parameter.element.size), .alignment = 16};
  Content content(object.bytes, Byte{Value::of(logic_.number(8, 0)), 0});
  for (const Field& field : parameter.element.fields)
    for (std::size_t k = 0; k < field.count; ++k)
      put(content, field.offset + k * field.type.size,
          given ? logic_.number(8 * field.type.size, static_cast<std::uint64_t>(*given))
                : fresh_field(parameter, field, {}));
  object.initial = std::make_shared<const Content>(std::move(content));
  return space_.add(std::move(object));
}

void Inputs::evaluate(const llvm::Module& original, Effort& effort) {
  if (spec_.expression_count == 0) return;
  const auto results = [&] {
    Object object{.name = "an expression's value", .bytes = 8 * spec_.expression_count, .alignment = 8};
    object.initial = std::make_shared<const Content>(object.bytes);
    return space_.add(std::move(object));
  };
  const unsigned integers = results(), reals = results();
  const llvm::Function* function = original.getFunction("hone_evaluate");
  if (!function) throw Unsupported("a unit without its harness");
  Machine machine(space_, original, effort);
  State state{Memory(space_), logic_.truth(true)};
  if (!machine.call(*function, {slots(), pointer_to(integers), pointer_to(reals)}, state)) throw NoSuchSize();
  for (const Event& event : machine.events)
    if (event.when.is(true)) throw NoSuchSize();
  for (unsigned i = 0; i < spec_.expression_count; ++i) {
    integers_.push_back(state.memory.read(integers, 8 * i, 8));
    reals_.push_back(state.memory.read(reals, 8 * i, 8));
  }
}

long long Inputs::known_integer(ExpressionId id, const std::string& name) const {
  const Value& value = integers_[id];
  if (!value.is_bits()) throw Unsupported("the size of " + name);
  const Term term = logic_.simplified(value.bits);
  if (!term.known()) throw Unsupported("the size of " + name);
  return term.number().getSExtValue();
}

double Inputs::known_real(ExpressionId id, const std::string& name) const {
  const Value& value = reals_[id];
  if (!value.is_bits() || !value.bits.known()) throw Unsupported("the range of " + name);
  return std::bit_cast<double>(value.bits.number().getZExtValue());
}

// The range that input_data.h draws from; what is no integer is left open.
Inputs::Range Inputs::range_of(const Parameter& parameter, const ScalarType& type, std::size_t elements) const {
  Range range;
  if (!parameter.init || !is_whole(type)) return range;
  const Init& init = *parameter.init;
  const auto argument = [&](std::size_t i) { return known_real(init.arguments[i], parameter.name); };
  const auto set = [&](double low, double high) {
    range = {Term(whole(std::ceil(low))), Term(whole(std::floor(high)))};
  };
  switch (init.distribution) {
    case Distribution::index:
      if (init.arguments.size() == 1) set(0, argument(0) - 1);
      if (init.arguments.size() == 2) set(argument(0), argument(1) - 1);
      break;
    case Distribution::uniform:
    case Distribution::sorted:
      if (init.arguments.size() == 2) set(argument(0), argument(1));
      break;
    case Distribution::permutation:
      set(0, static_cast<double>(elements) - 1);
      break;
    case Distribution::constant:
      set(std::trunc(argument(0)), std::trunc(argument(0)));
      break;
    case Distribution::zeros:
      set(0, 0);
      break;
    case Distribution::normal:
      break;
    case Distribution::file:
      throw Unsupported("data of a file");
  }
  return range;
}

void Inputs::restrict_scalars() {
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    const Parameter& parameter = spec_.parameters[i];
    if (parameter.pointer || !parameter.init || parameter.element.fields.size() != 1) continue;
    bool assigned = false;
    for (const Problem& problem : spec_.problems)
      for (const unsigned index : problem.assigned) assigned |= index == i;
    const ScalarType& type = parameter.element.fields[0].type;
    if (assigned || !is_whole(type)) continue;
    const Range range = range_of(parameter, type, 1);
    const Value value = Memory(space_).read(objects_[i], 0, type.size);
    const Term wider = logic_.widen(value.bits, wide, type.kind == ScalarKind::signed_integer);
    if (range.low) facts_.push_back(logic_.compare(Relation::sle, *range.low, wider));
    if (range.high) facts_.push_back(logic_.compare(Relation::sle, wider, *range.high));
  }
}

void Inputs::add_arrays(const llvm::Module& original, Effort& effort) {
  evaluate(original, effort);
  restrict_scalars();
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    const Parameter& parameter = spec_.parameters[i];
    if (!parameter.pointer) continue;
    Array& array = arrays_[i];
    array.elements = 1;
    for (const Dimension& dimension : parameter.extent) {
      const long long start = dimension.start ? known_integer(*dimension.start, parameter.name) : 0;
      const long long length = known_integer(dimension.length, parameter.name);
      if (start < 0 || length < 0) throw NoSuchSize();
      array.spans.emplace_back(start, length);
      if (start > 100'000 || length > 100'000) throw Unsupported("a large array");
      array.elements *= static_cast<std::size_t>(start + length);
      if (array.elements * parameter.element.size > most_array_bytes) throw Unsupported("a large array");
    }
    objects_[i] = new_array(parameter, array);
  }
  point_slots();
}

unsigned Inputs::new_array(const Parameter& parameter, const Array& array) {
  const ElementType& element = parameter.element;
  Object object{.name = parameter.name,
                .bytes = array.elements * element.size,
                .writable = parameter.role != Role::in,
                .alignment = std::max<std::size_t>(element.alignment, 1)};
  Content content(object.bytes, Byte{Value::of(logic_.number(8, 0)), 0});
  for (const Field& field : element.fields) {
    const bool drawn = parameter.role != Role::out && is_whole(field.type);
    const Range range = drawn ? range_of(parameter, field.type, array.elements) : Range();
    const Distribution distribution = drawn && parameter.init ? parameter.init->distribution : Distribution::uniform;
    std::vector<Term> all;
    for (std::size_t i = 0; i < array.elements; ++i)
      for (std::size_t k = 0; k < field.count; ++k) {
        const Term term = fresh_field(parameter, field, range);
        put(content, i * element.size + field.offset + k * field.type.size, term);
        const Relation order = field.type.kind == ScalarKind::signed_integer ? Relation::sle : Relation::ule;
        if (distribution == Distribution::sorted && !all.empty())
          facts_.push_back(logic_.compare(order, all.back(), term));
        if (distribution == Distribution::permutation)
          for (const Term& other : all) facts_.push_back(logic_.compare(Relation::ne, other, term));
        all.push_back(term);
      }
  }
  object.initial = std::make_shared<const Content>(std::move(content));
  return space_.add(std::move(object));
}

std::vector<std::size_t> Inputs::compared(std::size_t parameter) const {
  const Array& array = arrays_[parameter];
  std::vector<std::size_t> elements;
  for (std::size_t i = 0; i < array.elements; ++i) {
    std::size_t rest = i;
    bool inside = true;
    for (std::size_t d = array.spans.size(); d > 0; --d) {
      const auto [start, length] = array.spans[d - 1];
      const auto size = static_cast<std::size_t>(start + length);
      inside &= rest % size >= static_cast<std::size_t>(start);
      rest /= size;
    }
    if (inside) elements.push_back(i);
  }
  return elements;
}

}  // namespace hone::proof
