// What single instructions give.
#include <llvm/ADT/APSInt.h>
#include <llvm/IR/Operator.h>

#include "tool/proof/machine.h"

namespace hone::proof {
namespace {

using llvm::APFloat;
using llvm::APInt;
using llvm::Instruction;

Operation operation_of(unsigned opcode) {
  switch (opcode) {
    case Instruction::Add:
      return Operation::add;
    case Instruction::Sub:
      return Operation::subtract;
    case Instruction::Mul:
      return Operation::multiply;
    case Instruction::UDiv:
      return Operation::udivide;
    case Instruction::SDiv:
      return Operation::sdivide;
    case Instruction::URem:
      return Operation::uremainder;
    case Instruction::SRem:
      return Operation::sremainder;
    case Instruction::Shl:
      return Operation::shl;
    case Instruction::LShr:
      return Operation::lshr;
    case Instruction::AShr:
      return Operation::ashr;
    case Instruction::And:
      return Operation::conjoin;
    case Instruction::Or:
      return Operation::disjoin;
    default:
      return Operation::differ;
  }
}

bool divides(Operation operation) {
  return operation == Operation::udivide || operation == Operation::sdivide || operation == Operation::uremainder ||
         operation == Operation::sremainder;
}

bool shifts(Operation operation) {
  return operation == Operation::shl || operation == Operation::lshr || operation == Operation::ashr;
}

// A whole number's sign fits, too.
constexpr unsigned whole_width = 66;

Term compare_as(Logic& logic, llvm::CmpInst::Predicate predicate, const Term& a, const Term& b) {
  using llvm::CmpInst;
  switch (predicate) {
    case CmpInst::ICMP_EQ:
      return logic.compare(Relation::eq, a, b);
    case CmpInst::ICMP_NE:
      return logic.compare(Relation::ne, a, b);
    case CmpInst::ICMP_ULT:
      return logic.compare(Relation::ult, a, b);
    case CmpInst::ICMP_ULE:
      return logic.compare(Relation::ule, a, b);
    case CmpInst::ICMP_UGT:
      return logic.compare(Relation::ult, b, a);
    case CmpInst::ICMP_UGE:
      return logic.compare(Relation::ule, b, a);
    case CmpInst::ICMP_SLT:
      return logic.compare(Relation::slt, a, b);
    case CmpInst::ICMP_SLE:
      return logic.compare(Relation::sle, a, b);
    case CmpInst::ICMP_SGT:
      return logic.compare(Relation::slt, b, a);
    default:
      return logic.compare(Relation::sle, b, a);
  }
}

APFloat number_of(const Value& value, llvm::Type* type) {
  return APFloat(type->getFltSemantics(), value.bits.number());
}

Value value_of(const APFloat& number) {
  return Value::of(Term(number.bitcastToAPInt()));
}

[[noreturn]] void refuse_floating() {
  throw Unsupported("floating-point arithmetic");
}

}  // namespace

Term Machine::bits(const Value& value) {
  if (value.is_bits()) return value.bits;
  if (!value.is_pointer()) throw Unsupported("a value of another kind in arithmetic");
  Term term;
  for (const Place& place : *value.places) {
    const Term here = space_.address(place);
    term = term.width() == 0 ? here : logic_.choose(place.when, here, term);
  }
  return term;
}

Value Machine::compute(const Code& code, Way& way, const Instruction& instruction) {
  std::vector<Value> operands;
  for (const llvm::Use& use : instruction.operands())
    if (!llvm::isa<llvm::BasicBlock>(use.get())) operands.push_back(operand(code, way, use.get()));
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    if (binary->getType()->isFPOrFPVectorTy()) return floating(instruction, operands);
    return each(
        operands[0], [&](const Value& a, const Value& b) { return this->binary(way, *binary, a, b); }, operands[1]);
  }
  if (const auto* comparison = llvm::dyn_cast<llvm::CmpInst>(&instruction))
    return each(
        operands[0], [&](const Value& a, const Value& b) { return compare(*comparison, a, b); }, operands[1]);
  if (const auto* cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction))
    return reinterpreted(operands[0], cast->getSrcTy(), cast->getDestTy());
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return each(operands[0], [&](const Value& a) { return convert(*cast, a); });
  switch (instruction.getOpcode()) {
    case Instruction::Load:
      return load(way, operands[0], instruction.getType());
    case Instruction::GetElementPtr:
      return moved_pointer(code, way, instruction);
    case Instruction::Freeze:
      if (!operands[0].defined() && instruction.getType()->isIntegerTy())
        return Value::of(logic_.fresh(instruction.getType()->getIntegerBitWidth(), "undefined"));
      return operands[0];
    case Instruction::FNeg:
      return floating(instruction, operands);
    case Instruction::Select: {
      const auto pick = [&](const Value& condition, const Value& a, const Value& b) {
        if (!condition.is_bits()) return Value();
        return choose(logic_, logic_.simplified(condition.bits), a, b);
      };
      return each(operands[0], pick, operands[1], operands[2]);
    }
    case Instruction::Alloca: {
      const auto& alloca = llvm::cast<llvm::AllocaInst>(instruction);
      if (!operands[0].is_bits() || !operands[0].bits.known())
        throw Unsupported("an array whose size depends on the data");
      const std::size_t each = module_.getDataLayout().getTypeAllocSize(alloca.getAllocatedType());
      return allocated(each * operands[0].bits.number().getZExtValue(), "a local array", alloca.getAlign().value(),
                       false);
    }
    case Instruction::ExtractElement:
    case Instruction::InsertElement: {
      const Value& index = operands.back();
      if (!index.is_bits() || !index.bits.known())
        throw Unsupported("a vector's element by an index that is not known");
      const std::size_t at = index.bits.number().getZExtValue();
      if (!operands[0].is_list() || at >= operands[0].items->size()) return {};
      if (instruction.getOpcode() == Instruction::ExtractElement) return (*operands[0].items)[at];
      std::vector<Value> items = *operands[0].items;
      items[at] = operands[1];
      return Value::list(std::move(items));
    }
    case Instruction::ShuffleVector: {
      std::vector<Value> items;
      const std::size_t count =
          llvm::cast<llvm::FixedVectorType>(instruction.getOperand(0)->getType())->getNumElements();
      for (const int from : llvm::cast<llvm::ShuffleVectorInst>(instruction).getShuffleMask()) {
        const Value* source = from < 0 ? nullptr : &operands[static_cast<std::size_t>(from) < count ? 0 : 1];
        items.push_back(source && source->is_list() ? (*source->items)[static_cast<std::size_t>(from) % count]
                                                    : Value());
      }
      return Value::list(std::move(items));
    }
    case Instruction::ExtractValue: {
      Value value = operands[0];
      for (const unsigned index : llvm::cast<llvm::ExtractValueInst>(instruction).indices()) {
        if (!value.is_list()) return {};
        value = Value((*value.items)[index]);
      }
      return value;
    }
    case Instruction::InsertValue: {
      const auto& insert = llvm::cast<llvm::InsertValueInst>(instruction);
      if (insert.getNumIndices() != 1 || !operands[0].is_list()) throw Unsupported("nested aggregates");
      std::vector<Value> items = *operands[0].items;
      items[insert.getIndices()[0]] = operands[1];
      return Value::list(std::move(items));
    }
    default:
      throw Unsupported(std::string("the instruction ") + instruction.getOpcodeName());
  }
}

Value Machine::binary(Way& way, const llvm::BinaryOperator& instruction, const Value& a, const Value& b) {
  if (!a.defined() || !b.defined()) return {};
  const Operation operation = operation_of(instruction.getOpcode());
  // Distances between pointers, and pointers as numbers that are moved on.
  if (a.is_pointer() && b.is_pointer() && operation == Operation::subtract && a.places->size() == 1 &&
      b.places->size() == 1 && a.places->front().object == b.places->front().object)
    return Value::of(logic_.simplified(
        logic_.compute(operation, offset(logic_, a.places->front()), offset(logic_, b.places->front()))));
  if (a.is_pointer() && b.is_bits() && (operation == Operation::add || operation == Operation::subtract)) {
    std::vector<Place> places = *a.places;
    const Term by =
        operation == Operation::add ? b.bits : logic_.compute(Operation::subtract, logic_.number(64, 0), b.bits);
    for (Place& place : places) place = moved(logic_, std::move(place), by, 1);
    return Value::pointer(std::move(places));
  }
  const Term x = bits(a), y = bits(b);
  if (divides(operation)) {
    happen(way, logic_.compare(Relation::eq, y, logic_.number(y.width(), 0)), "it divides by zero");
    if (operation == Operation::sdivide || operation == Operation::sremainder)
      happen(way,
             logic_.both(logic_.compare(Relation::eq, x, Term(APInt::getSignedMinValue(x.width()))),
                         logic_.compare(Relation::eq, y, Term(APInt::getAllOnes(y.width())))),
             "a division overflows");
  }
  if (shifts(operation))
    happen(way, logic_.compare(Relation::ule, logic_.number(y.width(), y.width()), y), "it shifts by too much");
  const auto* wraps = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&instruction);
  if (wraps && operation != Operation::shl) {
    if (wraps->hasNoSignedWrap()) happen(way, logic_.overflows(operation, true, x, y), "signed numbers overflow", true);
    if (wraps->hasNoUnsignedWrap()) happen(way, logic_.overflows(operation, false, x, y), "numbers overflow", true);
  }
  return Value::of(logic_.compute(operation, x, y));
}

// Computes with known floating-point numbers alone: clauses turn sizes into such numbers.
Value Machine::floating(const Instruction& instruction, const std::vector<Value>& operands) {
  for (const Value& value : operands)
    if (!value.is_bits() || !value.bits.known()) refuse_floating();
  APFloat a = number_of(operands[0], instruction.getType());
  if (instruction.getOpcode() == Instruction::FNeg) return value_of(llvm::neg(a));
  const APFloat b = number_of(operands[1], instruction.getType());
  constexpr auto nearest = llvm::RoundingMode::NearestTiesToEven;
  switch (instruction.getOpcode()) {
    case Instruction::FAdd:
      a.add(b, nearest);
      break;
    case Instruction::FSub:
      a.subtract(b, nearest);
      break;
    case Instruction::FMul:
      a.multiply(b, nearest);
      break;
    case Instruction::FDiv:
      a.divide(b, nearest);
      break;
    default:
      refuse_floating();
  }
  return value_of(a);
}

Value Machine::compare(const llvm::CmpInst& instruction, const Value& a, const Value& b) {
  if (!a.defined() || !b.defined()) return {};
  if (llvm::isa<llvm::FCmpInst>(instruction)) return compare_floating(instruction, a, b);
  if (a.is_pointer() && b.is_pointer() && a.places->size() == 1 && b.places->size() == 1) {
    const Place &x = a.places->front(), &y = b.places->front();
    if (x.object == y.object) {
      const Term first = offset(logic_, x), second = offset(logic_, y);
      // Places before the start are no large ones.
      return Value::of(logic_.simplified(
          compare_as(logic_,
                     instruction.isEquality() ? instruction.getPredicate()
                                              : llvm::ICmpInst::getSignedPredicate(instruction.getPredicate()),
                     first, second)));
    }
    if (instruction.isEquality() && !x.moves() && !y.moves())
      return Value::of(logic_.truth(instruction.getPredicate() == llvm::CmpInst::ICMP_NE));
  }
  return Value::of(logic_.simplified(compare_as(logic_, instruction.getPredicate(), bits(a), bits(b))));
}

// Numbers, or an integer as a floating number beside a number: what rounds up to it is compared as it is.
Value Machine::compare_floating(const llvm::CmpInst& instruction, const Value& a, const Value& b) {
  llvm::Type* const type = instruction.getOperand(0)->getType()->getScalarType();
  const auto known = [](const Value& value) { return value.is_bits() && value.bits.known(); };
  if (known(a) && known(b))
    return Value::of(
        logic_.truth(llvm::FCmpInst::compare(number_of(a, type), number_of(b, type), instruction.getPredicate())));
  if (a.kind != Value::Kind::integer || !known(b) || !type->isDoubleTy()) refuse_floating();
  llvm::APSInt limit(whole_width, false);
  bool exact = false;
  if (number_of(b, type).convertToInteger(limit, llvm::RoundingMode::TowardZero, &exact) != APFloat::opOK || !exact)
    refuse_floating();
  using llvm::CmpInst;
  const Term number(static_cast<const APInt&>(limit));
  switch (instruction.getPredicate()) {
    case CmpInst::FCMP_OGT:
    case CmpInst::FCMP_UGT:
      return Value::of(logic_.simplified(logic_.compare(Relation::slt, number, a.bits)));
    case CmpInst::FCMP_OLT:
    case CmpInst::FCMP_ULT:
      return Value::of(logic_.simplified(logic_.compare(Relation::slt, a.bits, number)));
    default:
      refuse_floating();
  }
}

Value Machine::convert(const llvm::CastInst& instruction, const Value& value) {
  if (!value.defined()) return {};
  llvm::Type *const from = instruction.getSrcTy()->getScalarType(), *const to =
                                                                        instruction.getDestTy()->getScalarType();
  const unsigned width = to->isPointerTy() ? 64 : to->getPrimitiveSizeInBits();
  const auto known = [&] {
    if (!value.is_bits() || !value.bits.known()) refuse_floating();
  };
  constexpr auto nearest = llvm::RoundingMode::NearestTiesToEven;
  switch (instruction.getOpcode()) {
    case Instruction::Trunc:
      return Value::of(logic_.extract(bits(value), 0, width));
    case Instruction::ZExt:
      return Value::of(logic_.widen(bits(value), width, false));
    case Instruction::SExt:
      return Value::of(logic_.widen(bits(value), width, true));
    case Instruction::PtrToInt:
      return width == 64 ? value : Value::of(logic_.extract(bits(value), 0, width));
    case Instruction::IntToPtr:
      if (value.is_pointer()) return value;
      if (value.is_bits() && value.bits.known() && value.bits.number().isZero())
        return Value::pointer({{logic_.truth(true), 0, 0, {}, 0}});
      throw Unsupported("a pointer made of a number");
    case Instruction::SIToFP:
    case Instruction::UIToFP: {
      const bool sign = instruction.getOpcode() == Instruction::SIToFP;
      if (value.is_bits() && !value.bits.known() && to->isDoubleTy() && value.bits.width() < whole_width)
        return {Value::Kind::integer, logic_.widen(value.bits, whole_width, sign), nullptr, nullptr};
      known();
      APFloat number(to->getFltSemantics());
      number.convertFromAPInt(value.bits.number(), sign, nearest);
      return value_of(number);
    }
    case Instruction::FPToSI:
    case Instruction::FPToUI: {
      known();
      llvm::APSInt number(width, instruction.getOpcode() == Instruction::FPToUI);
      bool exact = false;
      number_of(value, from).convertToInteger(number, llvm::RoundingMode::TowardZero, &exact);
      return Value::of(Term(static_cast<const APInt&>(number)));
    }
    case Instruction::FPExt:
    case Instruction::FPTrunc: {
      known();
      APFloat number = number_of(value, from);
      bool loses = false;
      number.convert(to->getFltSemantics(), nearest, &loses);
      return value_of(number);
    }
    default:
      throw Unsupported(std::string("the instruction ") + instruction.getOpcodeName());
  }
}

// The same bits as another type: element 0 of a vector is the lowest.
Value Machine::reinterpreted(const Value& value, llvm::Type* from, llvm::Type* to) {
  const auto* many = llvm::dyn_cast<llvm::FixedVectorType>(to);
  const auto* were = llvm::dyn_cast<llvm::FixedVectorType>(from);
  if (!many && !were) return value;
  const unsigned was = were ? were->getScalarSizeInBits() : from->getPrimitiveSizeInBits();
  const unsigned is = many ? many->getScalarSizeInBits() : to->getPrimitiveSizeInBits();
  const unsigned all = to->getPrimitiveSizeInBits();
  if (!value.is_list() && were) return {};
  if (was == is) return many && were ? value : many ? Value::list({value}) : (*value.items)[0];
  const auto part = [&](unsigned index) { return were ? (*value.items)[index] : value; };
  std::vector<Value> items;
  for (unsigned low = 0; low < all; low += is) {
    Term term;
    bool defined = true;
    for (unsigned at = low; at < low + is && defined;) {
      const Value source = part(at / was);
      const unsigned width = std::min(low + is, (at / was + 1) * was) - at;
      defined = source.defined();
      if (!defined) break;
      const Term here = logic_.extract(bits(source), at % was, width);
      term = at == low ? here : logic_.join(here, term);
      at += width;
    }
    items.push_back(defined ? Value::of(term) : Value());
  }
  return many ? Value::list(std::move(items)) : items[0];
}

}  // namespace hone::proof
