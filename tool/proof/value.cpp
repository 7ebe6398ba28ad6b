#include "tool/proof/value.h"

#include <cstdlib>
#include <numeric>

namespace hone::proof {
namespace {

bool same_place(const Place& a, const Place& b) {
  return a.object == b.object && a.fixed == b.fixed && a.when.same(b.when) && a.moves() == b.moves() &&
         (!a.moves() || a.moving.same(b.moving));
}

// Two places of one object as one that moves.
Place between(Logic& logic, const Term& condition, const Place& then, const Place& otherwise) {
  Place place = otherwise;
  const std::int64_t apart = then.fixed - otherwise.fixed;
  if (apart == 0 && !then.moves() && !otherwise.moves()) return place;
  const Term nothing = logic.number(64, 0);
  const Term ahead = logic.compute(Operation::add, then.moves() ? then.moving : nothing,
                                   logic.number(64, static_cast<std::uint64_t>(apart)));
  place.moving = logic.choose(condition, ahead, otherwise.moves() ? otherwise.moving : nothing);
  place.stride = std::gcd(std::gcd(then.moves() ? then.stride : 0, otherwise.moves() ? otherwise.stride : 0),
                          static_cast<std::uint64_t>(std::llabs(apart)));
  return place;
}

Value choose_pointer(Logic& logic, const Term& condition, const Value& then, const Value& otherwise) {
  constexpr std::size_t most_places = 8;  // each access looks at all of them
  if (then.places->size() == 1 && otherwise.places->size() == 1 &&
      then.places->front().object == otherwise.places->front().object)
    return Value::pointer({between(logic, condition, then.places->front(), otherwise.places->front())});
  std::vector<Place> places;
  for (const Value* value : {&then, &otherwise})
    for (Place place : *value->places) {
      place.when = logic.both(place.when, value == &then ? condition : logic.negate(condition));
      places.push_back(std::move(place));
    }
  if (places.size() > most_places) throw Unsupported("pointers to many arrays in one");
  return Value::pointer(std::move(places));
}

}  // namespace

bool Value::same(const Value& other) const {
  if (kind != other.kind) return false;
  if (kind == Kind::bits || kind == Kind::integer) return bits.same(other.bits);
  if (kind == Kind::pointer)
    return places == other.places ||
           std::equal(places->begin(), places->end(), other.places->begin(), other.places->end(), same_place);
  if (kind == Kind::list)
    return items == other.items || std::equal(items->begin(), items->end(), other.items->begin(), other.items->end(),
                                              [](const Value& a, const Value& b) { return a.same(b); });
  return true;
}

Value choose(Logic& logic, const Term& condition, const Value& then, const Value& otherwise) {
  if (condition.known()) return condition.is(true) ? then : otherwise;
  if (then.same(otherwise)) return then;
  if (then.is_bits() && otherwise.is_bits() && then.bits.width() == otherwise.bits.width())
    return Value::of(logic.choose(condition, then.bits, otherwise.bits));
  if (then.is_pointer() && otherwise.is_pointer()) return choose_pointer(logic, condition, then, otherwise);
  if (then.is_list() && otherwise.is_list() && then.items->size() == otherwise.items->size()) {
    std::vector<Value> items;
    for (std::size_t i = 0; i < then.items->size(); ++i)
      items.push_back(choose(logic, condition, (*then.items)[i], (*otherwise.items)[i]));
    return Value::list(std::move(items));
  }
  // A value that nothing has written may be anything.
  if (then.is_bits() && !otherwise.defined())
    return Value::of(logic.choose(condition, then.bits, logic.fresh(then.bits.width(), "undefined")));
  if (otherwise.is_bits() && !then.defined())
    return Value::of(logic.choose(condition, logic.fresh(otherwise.bits.width(), "undefined"), otherwise.bits));
  return {};
}

Place moved(Logic&, Place place, std::int64_t bytes) {
  place.fixed += bytes;
  return place;
}

Place moved(Logic& logic, Place place, const Term& index, std::uint64_t scale) {
  if (index.known())
    return moved(logic, std::move(place),
                 index.number().sextOrTrunc(64).getSExtValue() * static_cast<std::int64_t>(scale));
  Term wide = index.width() > 64 ? logic.extract(index, 0, 64) : logic.widen(index, 64, true);
  wide = logic.compute(Operation::multiply, wide, logic.number(64, scale));
  place.stride = place.moves() ? std::gcd(place.stride, scale) : scale;
  place.moving = place.moves() ? logic.compute(Operation::add, place.moving, wide) : wide;
  // What a symbolic index and its end have in common is dropped: x[i + 1] from &x[1] of i.
  const Term simple = logic.simplified(place.moving);
  if (!simple.known()) {
    place.moving = simple;
    return place;
  }
  place.moving = {};
  place.stride = 0;
  return moved(logic, std::move(place), simple.number().getSExtValue());
}

Term offset(Logic& logic, const Place& place) {
  const Term fixed = logic.number(64, static_cast<std::uint64_t>(place.fixed));
  return place.moves() ? logic.compute(Operation::add, place.moving, fixed) : fixed;
}

}  // namespace hone::proof
