// Functions that the module does not define: LLVM's own, the processor's, memory.
#include "tool/proof/machine.h"

namespace hone::proof {
namespace {

using llvm::APInt;
namespace Intrinsic = llvm::Intrinsic;

constexpr unsigned longest_copy = 1 << 16;  // copies go byte by byte

Relation relation_for(unsigned id) {
  return id == Intrinsic::smin || id == Intrinsic::smax || id == Intrinsic::vector_reduce_smin ||
                 id == Intrinsic::vector_reduce_smax
             ? Relation::slt
             : Relation::ult;
}

Term smaller_or_larger(Logic& logic, unsigned id, const Term& a, const Term& b) {
  const bool smaller = id == Intrinsic::smin || id == Intrinsic::umin || id == Intrinsic::vector_reduce_smin ||
                       id == Intrinsic::vector_reduce_umin;
  return logic.choose(logic.compare(relation_for(id), a, b), smaller ? a : b, smaller ? b : a);
}

Term count_ones(Logic& logic, const Term& a) {
  Term count = logic.number(a.width(), 0);
  for (unsigned i = 0; i < a.width(); ++i)
    count = logic.compute(Operation::add, count, logic.widen(logic.extract(a, i, 1), a.width(), false));
  return count;
}

// Zeros before the first one from one end.
Term count_zeros(Logic& logic, const Term& a, bool leading) {
  Term count = logic.number(a.width(), a.width());
  for (unsigned i = 0; i < a.width(); ++i) {
    const unsigned at = leading ? i : a.width() - 1 - i;
    count = logic.choose(logic.extract(a, at, 1), logic.number(a.width(), leading ? a.width() - 1 - at : at), count);
  }
  return count;
}

Term reversed(Logic& logic, const Term& a, unsigned step) {
  Term result;
  for (unsigned at = 0; at < a.width(); at += step) {
    const Term part = logic.extract(a, at, step);
    result = at == 0 ? part : logic.join(result, part);
  }
  return result;
}

Term funnel(Logic& logic, bool left, const Term& a, const Term& b, const Term& by) {
  const unsigned width = a.width();
  const Term amount = logic.compute(Operation::uremainder, by, logic.number(width, width));
  const Term both = logic.join(a, b);
  const Term wide = logic.widen(amount, 2 * width, false);
  return left ? logic.extract(logic.compute(Operation::shl, both, wide), width, width)
              : logic.extract(logic.compute(Operation::lshr, both, wide), 0, width);
}

// Computes in one bit more than the result needs, then takes the nearest that fits.
Term saturated(Logic& logic, Operation operation, bool sign, const Term& a, const Term& b) {
  const unsigned width = a.width(), wide = width + 2;
  const Term exact = logic.compute(operation, logic.widen(a, wide, sign), logic.widen(b, wide, sign));
  const Term low(sign ? APInt::getSignedMinValue(width).sext(wide) : APInt(wide, 0));
  const Term high(sign ? APInt::getSignedMaxValue(width).sext(wide) : APInt::getMaxValue(width).zext(wide));
  const Term floor = logic.choose(logic.compare(Relation::slt, exact, low), low, exact);
  return logic.extract(logic.choose(logic.compare(Relation::slt, high, floor), high, floor), 0, width);
}

Term absolute(Logic& logic, const Term& a) {
  const Term zero = logic.number(a.width(), 0);
  return logic.choose(logic.compare(Relation::slt, a, zero), logic.compute(Operation::subtract, zero, a), a);
}

// The sum, and whether it overflowed.
Value checked(Logic& logic, Operation operation, bool sign, const Term& a, const Term& b) {
  return Value::list({Value::of(logic.compute(operation, a, b)), Value::of(logic.overflows(operation, sign, a, b))});
}

std::optional<Operation> reduction(unsigned id) {
  switch (id) {
    case Intrinsic::vector_reduce_add:
      return Operation::add;
    case Intrinsic::vector_reduce_mul:
      return Operation::multiply;
    case Intrinsic::vector_reduce_and:
      return Operation::conjoin;
    case Intrinsic::vector_reduce_or:
      return Operation::disjoin;
    case Intrinsic::vector_reduce_xor:
      return Operation::differ;
    default:
      return std::nullopt;
  }
}

// Elementwise functions of integers.
std::optional<Term> elementary(Logic& logic, unsigned id, const std::vector<Term>& a) {
  switch (id) {
    case Intrinsic::ctpop:
      return count_ones(logic, a[0]);
    case Intrinsic::ctlz:
      return count_zeros(logic, a[0], true);
    case Intrinsic::cttz:
      return count_zeros(logic, a[0], false);
    case Intrinsic::bswap:
      return reversed(logic, a[0], 8);
    case Intrinsic::bitreverse:
      return reversed(logic, a[0], 1);
    case Intrinsic::fshl:
      return funnel(logic, true, a[0], a[1], a[2]);
    case Intrinsic::fshr:
      return funnel(logic, false, a[0], a[1], a[2]);
    case Intrinsic::abs:
      return absolute(logic, a[0]);
    case Intrinsic::umin:
    case Intrinsic::umax:
    case Intrinsic::smin:
    case Intrinsic::smax:
      return smaller_or_larger(logic, id, a[0], a[1]);
    case Intrinsic::uadd_sat:
      return saturated(logic, Operation::add, false, a[0], a[1]);
    case Intrinsic::usub_sat:
      return saturated(logic, Operation::subtract, false, a[0], a[1]);
    case Intrinsic::sadd_sat:
      return saturated(logic, Operation::add, true, a[0], a[1]);
    case Intrinsic::ssub_sat:
      return saturated(logic, Operation::subtract, true, a[0], a[1]);
    default:
      return std::nullopt;
  }
}

std::optional<Value> overflow_checked(Logic& logic, unsigned id, const std::vector<Value>& a) {
  const auto of = [&](Operation operation, bool sign) { return checked(logic, operation, sign, a[0].bits, a[1].bits); };
  switch (id) {
    case Intrinsic::uadd_with_overflow:
      return of(Operation::add, false);
    case Intrinsic::sadd_with_overflow:
      return of(Operation::add, true);
    case Intrinsic::usub_with_overflow:
      return of(Operation::subtract, false);
    case Intrinsic::ssub_with_overflow:
      return of(Operation::subtract, true);
    case Intrinsic::umul_with_overflow:
      return of(Operation::multiply, false);
    case Intrinsic::smul_with_overflow:
      return of(Operation::multiply, true);
    default:
      return std::nullopt;
  }
}

bool is_silent(unsigned id) {
  switch (id) {
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::prefetch:
    case Intrinsic::stackrestore:
    case Intrinsic::invariant_start:
    case Intrinsic::invariant_end:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<Value> Machine::intrinsic(Way& way, const llvm::CallBase& call, const std::vector<Value>& arguments) {
  const unsigned id = call.getIntrinsicID();
  if (is_silent(id)) return Value();
  switch (id) {
    case Intrinsic::expect:
    case Intrinsic::expect_with_probability:
    case Intrinsic::launder_invariant_group:
    case Intrinsic::strip_invariant_group:
    case Intrinsic::threadlocal_address:
    case Intrinsic::ssa_copy:
      return arguments[0];
    case Intrinsic::assume:
      if (arguments[0].is_bits()) happen(way, logic_.negate(arguments[0].bits), "what it takes for granted is not so");
      return Value();
    case Intrinsic::stacksave:
      return Value::pointer({{logic_.truth(true), 0, 0, {}, 0}});
    case Intrinsic::is_constant:
      return Value::of(logic_.truth(false));
    case Intrinsic::objectsize:
      return Value::of(Term(arguments[1].bits.is(true) ? APInt(call.getType()->getIntegerBitWidth(), 0)
                                                       : APInt::getAllOnes(call.getType()->getIntegerBitWidth())));
    case Intrinsic::memcpy:
    case Intrinsic::memmove:
    case Intrinsic::memcpy_inline:
      copy(way, arguments[0], arguments[1], arguments[2]);
      return Value();
    case Intrinsic::memset:
    case Intrinsic::memset_inline:
      fill(way, arguments[0], arguments[1], arguments[2]);
      return Value();
    default:
      break;
  }
  if (id == Intrinsic::ctlz || id == Intrinsic::cttz || id == Intrinsic::abs)
    if (arguments[1].bits.is(true) && arguments[0].is_bits())
      happen(way,
             logic_.compare(Relation::eq, arguments[0].bits,
                            Term(id == Intrinsic::abs ? APInt::getSignedMinValue(arguments[0].bits.width())
                                                      : APInt(arguments[0].bits.width(), 0))),
             id == Intrinsic::abs ? "signed numbers overflow" : "it counts the zeros of zero", id == Intrinsic::abs);
  if (const auto operation = reduction(id);
      operation || (id >= Intrinsic::vector_reduce_smax && id <= Intrinsic::vector_reduce_umin)) {
    if (!arguments[0].is_list()) return Value();
    Term result;
    for (const Value& item : *arguments[0].items) {
      if (!item.defined()) return Value();
      result = result.width() == 0 ? bits(item)
               : operation         ? logic_.compute(*operation, result, bits(item))
                                   : smaller_or_larger(logic_, id, result, bits(item));
    }
    return Value::of(result);
  }
  if (!arguments.empty() && arguments[0].is_bits())
    if (auto value = overflow_checked(logic_, id, arguments)) return value;
  // Vectors go element by element; a choice that all elements share stays.
  bool known = true;
  const auto one = [&](const std::vector<Value>& values) -> Value {
    std::vector<Term> terms;
    for (const Value& value : values) {
      if (!value.defined()) return Value();
      terms.push_back(bits(value));
    }
    const std::optional<Term> term = elementary(logic_, id, terms);
    known &= term.has_value();
    return term ? Value::of(*term) : Value();
  };
  const std::string name = call.getCalledFunction() ? call.getCalledFunction()->getName().str() : std::string();
  if (name.starts_with("llvm.x86.")) {
    if (auto value = intrinsic_of_x86(name.substr(9), arguments)) return value;
    throw Unsupported("the processor's " + name.substr(9));
  }
  if (name.starts_with("llvm.masked.") || call.getType()->isFPOrFPVectorTy() || arguments.empty())
    throw Unsupported(call.getType()->isFPOrFPVectorTy() ? "floating-point arithmetic" : name);
  Value result;
  if (arguments[0].is_list()) {
    std::vector<Value> items;
    for (std::size_t i = 0; i < arguments[0].items->size(); ++i) {
      std::vector<Value> row;
      for (const Value& argument : arguments) row.push_back(argument.is_list() ? (*argument.items)[i] : argument);
      items.push_back(one(row));
    }
    result = Value::list(std::move(items));
  } else {
    result = one(arguments);
  }
  if (!known) throw Unsupported(name);
  return result;
}

namespace {

// Whole vectors, none of whose elements is undefined.
bool defined(const std::vector<Value>& arguments) {
  for (const Value& argument : arguments) {
    if (!argument.is_list()) continue;
    for (const Value& item : *argument.items)
      if (!item.is_bits()) return false;
  }
  return true;
}

Value packed(Logic& logic, const std::vector<Value>& a, bool sign) {
  const auto& first = *a[0].items;
  const unsigned width = first[0].bits.width(), half = width / 2;
  const std::size_t lane = 128 / width;
  const Term low(sign ? APInt::getSignedMinValue(half).sext(width) : APInt(width, 0));
  const Term high(sign ? APInt::getSignedMaxValue(half).sext(width) : APInt::getMaxValue(half).zext(width));
  std::vector<Value> items;
  for (std::size_t at = 0; at < first.size(); at += lane)
    for (const Value& source : a)
      for (std::size_t i = at; i < at + lane; ++i) {
        const Term& x = (*source.items)[i].bits;
        const Term floor = logic.choose(logic.compare(Relation::slt, x, low), low, x);
        items.push_back(
            Value::of(logic.extract(logic.choose(logic.compare(Relation::slt, high, floor), high, floor), 0, half)));
      }
  return Value::list(std::move(items));
}

Value sums_of_differences(Logic& logic, const std::vector<Value>& a) {
  std::vector<Value> items;
  for (std::size_t at = 0; at < a[0].items->size(); at += 8) {
    Term sum = logic.number(64, 0);
    for (std::size_t i = at; i < at + 8; ++i) {
      const Term x = logic.widen((*a[0].items)[i].bits, 64, false), y = logic.widen((*a[1].items)[i].bits, 64, false);
      sum = logic.compute(Operation::add, sum,
                          logic.number(64, 0).same(y) ? x : absolute(logic, logic.compute(Operation::subtract, x, y)));
    }
    items.push_back(Value::of(sum));
  }
  return Value::list(std::move(items));
}

Value shuffled(Logic& logic, const std::vector<Value>& a) {
  std::vector<Value> items;
  for (std::size_t i = 0; i < a[0].items->size(); ++i) {
    const Term& index = (*a[1].items)[i].bits;
    const Term low = logic.extract(index, 0, 4);
    Term byte = logic.number(8, 0);
    for (std::size_t k = 0; k < 16; ++k)
      byte =
          logic.choose(logic.compare(Relation::eq, low, logic.number(4, k)), (*a[0].items)[i / 16 * 16 + k].bits, byte);
    items.push_back(Value::of(logic.choose(logic.extract(index, 7, 1), logic.number(8, 0), byte)));
  }
  return Value::list(std::move(items));
}

Value multiplied_pairs(Logic& logic, const std::vector<Value>& a) {
  std::vector<Value> items;
  for (std::size_t i = 0; i < a[0].items->size(); i += 2) {
    Term sum;
    for (std::size_t k = i; k < i + 2; ++k) {
      const Term product = logic.compute(Operation::multiply, logic.widen((*a[0].items)[k].bits, 32, true),
                                         logic.widen((*a[1].items)[k].bits, 32, true));
      sum = k == i ? product : logic.compute(Operation::add, sum, product);
    }
    items.push_back(Value::of(sum));
  }
  return Value::list(std::move(items));
}

Value multiplied_bytes(Logic& logic, const std::vector<Value>& a) {
  std::vector<Value> items;
  for (std::size_t i = 0; i < a[0].items->size(); i += 2) {
    Term product[2];
    for (std::size_t k = 0; k < 2; ++k)
      product[k] = logic.compute(Operation::multiply, logic.widen((*a[0].items)[i + k].bits, 16, false),
                                 logic.widen((*a[1].items)[i + k].bits, 16, true));
    items.push_back(Value::of(saturated(logic, Operation::add, true, product[0], product[1])));
  }
  return Value::list(std::move(items));
}

Value sign_bits(Logic& logic, const Value& vector) {
  Term mask;
  for (const Value& item : *vector.items) {
    const Term bit = logic.extract(item.bits, item.bits.width() - 1, 1);
    mask = mask.width() == 0 ? bit : logic.join(bit, mask);
  }
  return Value::of(logic.widen(mask, 32, false));
}

}  // namespace

// Intrinsics of x86 that Clang's headers do not write in LLVM's own words.
std::optional<Value> Machine::intrinsic_of_x86(const std::string& name, const std::vector<Value>& arguments) {
  if (!defined(arguments)) return Value();
  const auto ends = [&](const char* with) { return name.find(with) != std::string::npos; };
  if (name == "sse2.pause" || ends("vzero")) return Value();
  if (ends("pmovmskb")) return sign_bits(logic_, arguments[0]);
  if (ends("pshuf.b")) return shuffled(logic_, arguments);
  if (ends("psad.bw")) return sums_of_differences(logic_, arguments);
  if (ends("packuswb") || ends("packusdw")) return packed(logic_, arguments, false);
  if (ends("packsswb") || ends("packssdw")) return packed(logic_, arguments, true);
  if (ends("pmadd.wd")) return multiplied_pairs(logic_, arguments);
  if (ends("pmadd.ub.sw")) return multiplied_bytes(logic_, arguments);
  return std::nullopt;
}

Value Machine::allocated(std::size_t bytes, std::string name, std::uint64_t alignment, bool zero) {
  Object object{.name = std::move(name), .bytes = bytes, .writable = true, .alignment = alignment};
  Content content(bytes);
  if (zero)
    for (Byte& byte : content) byte.value = Value::of(logic_.number(8, 0));
  object.initial = std::make_shared<const Content>(std::move(content));
  return Value::pointer({{logic_.truth(true), space_.add(std::move(object)), 0, {}, 0}});
}

void Machine::copy(Way& way, const Value& to, const Value& from, const Value& bytes) {
  if (!bytes.is_bits() || !bytes.bits.known()) throw Unsupported("a copy whose size depends on the data");
  const std::uint64_t count = bytes.bits.number().getZExtValue();
  if (count > longest_copy) throw Unsupported("a long copy");
  if (!to.is_pointer() || !from.is_pointer()) throw Unsupported("a copy through a pointer that nothing has written");
  const auto still = [](const Value& value) { return value.places->size() == 1 && !value.places->front().moves(); };
  if (count == 0) return;
  if (!still(to) || !still(from)) {
    std::vector<Value> read;
    for (std::uint64_t i = 0; i < count; ++i)
      read.push_back(load_bytes(way, ahead(from, static_cast<std::int64_t>(i)), 1));
    for (std::uint64_t i = 0; i < count; ++i) store_bytes(way, ahead(to, static_cast<std::int64_t>(i)), read[i], 1);
    return;
  }
  const Place &target = to.places->front(), &source = from.places->front();
  const bool readable = check_bounds(way, source, count, false);
  if (!check_bounds(way, target, count, true) || !readable) return;
  const Content& content = way.memory.content(source.object);
  const Content copied(content.begin() + source.fixed,
                       content.begin() + source.fixed + static_cast<std::int64_t>(count));
  std::copy(copied.begin(), copied.end(), way.memory.changed(target.object).begin() + target.fixed);
}

void Machine::fill(Way& way, const Value& to, const Value& byte, const Value& bytes) {
  if (!bytes.is_bits() || !bytes.bits.known()) throw Unsupported("a copy whose size depends on the data");
  const std::uint64_t count = bytes.bits.number().getZExtValue();
  if (count > longest_copy) throw Unsupported("a long copy");
  const Value low = byte.is_bits() ? Value::of(logic_.extract(byte.bits, 0, 8)) : byte;
  for (std::uint64_t i = 0; i < count; ++i) store_bytes(way, ahead(to, static_cast<std::int64_t>(i)), low, 1);
}

// Functions that take and give back memory; nothing is said of memory that is used after that.
std::optional<Value> Machine::library_call(Way& way, const std::string& name, const std::vector<Value>& arguments) {
  const auto size = [&](std::size_t index) -> std::size_t {
    if (!arguments[index].is_bits() || !arguments[index].bits.known())
      throw Unsupported("memory whose size depends on the data");
    return arguments[index].bits.number().getZExtValue();
  };
  if (name == "free" || name.starts_with("_ZdlPv") || name.starts_with("_ZdaPv")) return Value();
  if (name.starts_with("_Znwm") || name.starts_with("_Znam") || name == "malloc")
    return allocated(size(0), "its allocation", 16, false);
  if (name == "aligned_alloc") return allocated(size(1), "its allocation", size(0), false);
  if (name == "calloc") return allocated(size(0) * size(1), "its allocation", 16, true);
  if (name == "memcpy" || name == "memmove") return copy(way, arguments[0], arguments[1], arguments[2]), arguments[0];
  if (name == "memset") return fill(way, arguments[0], arguments[1], arguments[2]), arguments[0];
  return std::nullopt;
}

}  // namespace hone::proof
