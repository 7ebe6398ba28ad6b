#include "tool/frontend/unit/argument_text.h"

#include <algorithm>
#include <vector>

#include "tool/frontend/parse/source_tokens.h"
#include "tool/frontend/unit/row_text.h"
#include "tool/frontend/unit/slot_text.h"

namespace hone::frontend {

// In the words that C and C++ share. hone_object_to() ends the call, for the reasons of model/harness_objection.h. What
// the call must leave alone is spoiled, so that who uses it faults; the next call's rubbish is another, so that no
// constant is like it always. Pointers are compared across processes as what they point to: the number of the datum,
// and how far behind its start.
const char* const kArgumentSupport = R"(typedef __UINTPTR_TYPE__ hone_address;
struct hone_stretch { const void *hone_first; hone_address hone_bytes; };
__attribute__((unused)) static void hone_put(unsigned char *hone_to, const void *hone_pointer) {
  __builtin_memcpy(hone_to, &hone_pointer, sizeof hone_pointer);
}
__attribute__((unused)) static void hone_put_vector(unsigned char *hone_to, const void *hone_first,
                                                    hone_address hone_bytes) {
  const void *const hone_last = (const void *)((hone_address)hone_first + hone_bytes);
  hone_put(hone_to, hone_first);
  hone_put(hone_to + sizeof(void *), hone_last);
  hone_put(hone_to + 2 * sizeof(void *), hone_last);
}
__attribute__((unused)) static void hone_object_to(hone_address hone_reason) {
  *(volatile unsigned char *)hone_reason = 0;
  __builtin_trap();
}
__attribute__((unused)) static void hone_keep_as(hone_address hone_reason, const void *hone_now, const void *hone_was,
                                                 hone_address hone_bytes) {
  if (hone_bytes != 0 && __builtin_memcmp(hone_now, hone_was, hone_bytes) != 0) hone_object_to(hone_reason);
}
__attribute__((unused)) static void hone_keep(const void *hone_now, const void *hone_was, hone_address hone_bytes) {
  hone_keep_as(0x8001, hone_now, hone_was, hone_bytes);
}
__attribute__((unused)) static void hone_keep_view(const void *hone_now, const void *hone_was,
                                                   hone_address hone_bytes) {
  hone_keep_as(0x8003, hone_now, hone_was, hone_bytes);
}
__attribute__((unused)) static void hone_keep_vector(const unsigned char *hone_at, const void *hone_first,
                                                     hone_address hone_bytes) {
  unsigned char hone_was[3 * sizeof(void *)];
  hone_put_vector(hone_was, hone_first, hone_bytes);
  hone_keep_as(0x8002, hone_at, hone_was, sizeof hone_was);
}
__attribute__((unused)) static hone_address hone_fits(hone_address hone_bytes, hone_address hone_room) {
  if (hone_bytes > hone_room) __builtin_trap();
  return hone_bytes;
}
__attribute__((unused)) static void hone_name_pointer(unsigned char *hone_at, const void *hone_own,
                                                      const struct hone_stretch *hone_all, unsigned hone_count) {
  hone_address hone_pointer, hone_start, hone_name = ~(hone_address)0;
  unsigned hone_best = 0, hone_i, hone_rank;
  __builtin_memcpy(&hone_pointer, hone_at, sizeof hone_pointer);
  if (hone_pointer == 0) return;
  for (hone_i = 0; hone_i < hone_count; ++hone_i) {
    hone_start = (hone_address)hone_all[hone_i].hone_first;
    if (hone_start == 0 || hone_pointer < hone_start || hone_pointer - hone_start > hone_all[hone_i].hone_bytes) continue;
    hone_rank = 1 + (hone_pointer - hone_start < hone_all[hone_i].hone_bytes ? 2 : 0) +
                (hone_all[hone_i].hone_first == hone_own ? 1 : 0);
    if (hone_rank <= hone_best) continue;
    hone_best = hone_rank;
    hone_name = ((hone_address)(hone_i + 1) << 48) + (hone_pointer - hone_start);
  }
  __builtin_memcpy(hone_at, &hone_name, sizeof hone_name);
}
__attribute__((unused)) static unsigned char hone_rubbish;
__attribute__((unused)) static void hone_spoil(unsigned char *hone_at, hone_address hone_i,
                                               hone_address hone_end) {
  for (; hone_i < hone_end; ++hone_i) hone_at[hone_i] = (unsigned char)((0x81 + 37 * hone_i) ^ hone_rubbish);
}
__attribute__((unused)) static void hone_keep_spoiled(const unsigned char *hone_at, hone_address hone_i,
                                                      hone_address hone_end) {
  for (; hone_i < hone_end; ++hone_i)
    if (hone_at[hone_i] != (unsigned char)((0x81 + 37 * hone_i) ^ hone_rubbish)) hone_object_to(0x8004);
}
__attribute__((unused)) static void hone_clear_rest(unsigned char *hone_at, hone_address hone_bytes,
                                                    hone_address hone_room) {
  if (hone_bytes < hone_room) __builtin_memset(hone_at + hone_bytes, 0, hone_room - hone_bytes);
}
__attribute__((unused)) static void hone_keep_rest(const unsigned char *hone_at, hone_address hone_bytes,
                                                   hone_address hone_room) {
  hone_address hone_i;
  for (hone_i = hone_bytes; hone_i < hone_room; ++hone_i)
    if (hone_at[hone_i] != 0) hone_object_to(0x8005);
}
)";

const char* const kCppArgumentSupport = R"(namespace hone_harness {
template <class hone_t> struct hone_bare { typedef hone_t hone_is; };
template <class hone_t> struct hone_bare<const hone_t> { typedef hone_t hone_is; };
template <class hone_t> struct hone_bare<hone_t&> : hone_bare<hone_t> {};
template <class hone_t> struct hone_bare<hone_t&&> : hone_bare<hone_t> {};
template <class hone_v, class... hone_a> inline void hone_put_view(unsigned char* hone_to, hone_a... hone_parts) {
  const hone_v hone_view(hone_parts...);
  __builtin_memcpy(hone_to, reinterpret_cast<const unsigned char*>(&hone_view), sizeof hone_view);
}
}
)";

namespace {

using Kind = ArgumentStep::Kind;
using Memory = ArgumentObject::Memory;

// How many elements there are from the pointer on.
std::string elements(const Parameter& parameter) {
  std::string text;  // a stride counts for the dimensions behind it
  for (const Dimension& dimension : parameter.extent) {
    std::string one = length(dimension.length);
    if (dimension.start) one = "(" + length(*dimension.start) + " + " + one + ")";
    text += (text.empty() ? "" : " * ") + one;
  }
  return "(hone_address)(" + text + ")";
}

std::string bytes(const Parameter& parameter) {
  return elements(parameter) + " * " + std::to_string(parameter.element.size);
}

// Up to the end of the last row, where the rows are further apart than they are long.
std::string all_bytes(const Parameter& parameter) {
  const Dimension& first = parameter.extent.front();
  if (!first.stride) return bytes(parameter);
  return "(hone_address)" + length(first.length) + " * (hone_address)" + length(*first.stride) + " * " +
         std::to_string(parameter.element.size);
}

// Of memory that one clause expression measures.
std::string room_bytes(const KernelSpec& spec, unsigned datum) {
  return bytes(spec.parameters[datum]);
}

std::string stretch(std::size_t offset, std::size_t size) {
  return ", " + std::to_string(offset) + ", " + std::to_string(offset + size) + ");\n";
}

std::string fitting(const ArgumentStep& step, const Parameter& parameter) {
  return "hone_fits(" + bytes(parameter) + ", " + std::to_string(step.bytes) + ")";
}

class ObjectText {
 public:
  ObjectText(const Arguments& arguments, const KernelSpec& spec, unsigned number)
      : arguments_(arguments),
        object_(arguments.objects[number]),
        spec_(spec),
        number_(std::to_string(number)),
        at_("hone_at_" + number_) {}

  std::string place() const {
    const std::string whole = std::to_string(object_.size);
    if (object_.room)
      return "  unsigned char* const " + at_ + " = (unsigned char*)" + slot(*object_.room) + ";\n" +
             (object_.content ? copy(at_, slot(*object_.content), whole)
                              : "  __builtin_memset(" + at_ + ", 0, " + whole + ");\n");
    switch (object_.memory) {
      case Memory::slot:
        return "  unsigned char* const " + at_ + " = (unsigned char*)" + slot(*object_.content) + ";\n";
      case Memory::variable:
        return "  unsigned char* const " + at_ + " = (unsigned char*)&" + object_.variable + ";\n" +
               (object_.content ? copy(at_, slot(*object_.content), std::to_string(object_.size)) : "");
      case Memory::own:
        break;
    }
    const std::string size = std::to_string(object_.size);
    return "  __attribute__((aligned(" + std::to_string(std::max<std::size_t>(object_.alignment, 1)) +
           "))) unsigned char " + at_ + "[" + size + "];\n" +
           (object_.content ? copy(at_, slot(*object_.content), size)
                            : "  __builtin_memset(" + at_ + ", 0, " + size + ");\n");
  }

  std::string writes() const {
    std::string text;
    for (const std::size_t pointer : object_.pointers)
      text +=
          object_.many ? "  hone_clear_pointers(" + in_each(pointer) + ");\n" : "  hone_put(" + at(pointer) + ", 0);\n";
    for (const ArgumentStep& step : object_.steps) text += write(step);
    if (!object_.untouched.empty()) text += "  hone_rubbish = (unsigned char)~hone_rubbish;\n";
    for (const auto& [offset, size] : object_.untouched) text += "  hone_spoil(" + at_ + stretch(offset, size);
    if (must_stay())
      text += "  unsigned char hone_was_" + number_ + "[" + std::to_string(object_.size) + "];\n" +
              copy("hone_was_" + number_, at_, std::to_string(object_.size));
    return text;
  }

  std::string after() const {
    std::string text;
    if (must_stay())
      text += "  hone_keep(" + at_ + ", hone_was_" + number_ + ", " + std::to_string(object_.size) + ");\n";
    for (const ArgumentStep& step : object_.steps) text += look(step);
    if (!must_stay())
      for (const auto& [offset, size] : object_.untouched) text += "  hone_keep_spoiled(" + at_ + stretch(offset, size);
    return text + content_after() + cleared_room();
  }

  // Nobody but the object's memory itself may be told by what lies in it: what is compared was copied.
  std::string guards(const char* set) const {
    std::string text;
    for (const ArgumentStep& step : object_.steps)
      if (step.open) text += std::string("  hone_guard_tail(") + set + ", " + tail(step) + ");\n";
    return text;
  }

 private:
  std::string content_after() const {
    std::string text;
    if (!object_.content || object_.memory == Memory::own) return text;
    for (const ArgumentStep& step : object_.steps) {
      if (step.kind == Kind::pointer) text += name_pointer(step.offset, address_text(arguments_, spec_, step.datum));
      if (step.kind == Kind::address) text += name_pointer(step.offset, "hone_at_" + std::to_string(step.object));
    }
    for (const std::size_t pointer : object_.pointers)
      text += object_.many ? "  hone_name_pointers(" + in_each(pointer) + ", hone_known, hone_count);\n"
                           : name_pointer(pointer, "0");
    if (object_.memory == Memory::variable || object_.room)
      text += copy(slot(*object_.content), at_, std::to_string(object_.size));
    return text;
  }

  std::string cleared_room() const {
    if (!object_.room) return "";
    for (const ArgumentStep& step : object_.steps)
      if (step.open && spec_.parameters[step.datum].role != Role::in)
        return "  __builtin_memset(" + at_ + ", 0, " + room_bytes(spec_, *object_.room) + ");\n";
    return "  __builtin_memset(" + at_ + ", 0, " + std::to_string(object_.size) + ");\n";
  }

  // Of an array at the end: from where, and how far the array and the memory go.
  std::string tail(const ArgumentStep& step) const {
    return at_ + ", " + std::to_string(step.offset) + " + " + bytes(spec_.parameters[step.datum]) + ", " +
           room_bytes(spec_, *object_.room);
  }

  // Of an array of objects: the member, how far it is from one to the next, and how many there are.
  std::string in_each(std::size_t offset) const {
    return at(offset) + ", " + std::to_string(object_.size) + ", " + elements(spec_.parameters[*object_.content]);
  }

  std::string at(std::size_t offset) const { return at_ + " + " + std::to_string(offset); }

  static std::string copy(const std::string& to, const std::string& from, const std::string& size) {
    return "  __builtin_memcpy(" + to + ", " + from + ", " + size + ");\n";
  }

  bool must_stay() const { return object_.constant && object_.memory == Memory::own; }

  std::string name_pointer(std::size_t offset, const std::string& own) const {
    return "  hone_name_pointer(" + at(offset) + ", " + own + ", hone_known, hone_count);\n";
  }

  std::string write(const ArgumentStep& step) const {
    if (step.kind == Kind::address)
      return "  hone_put(" + at(step.offset) + ", hone_at_" + std::to_string(step.object) + ");\n";
    const Parameter& datum = spec_.parameters[step.datum];
    switch (step.kind) {
      case Kind::scalar:
        return copy(at(step.offset), slot(step.datum), std::to_string(step.bytes));
      case Kind::array:
        if (step.open)
          return copy(at(step.offset), slot(step.datum), bytes(datum)) + "  hone_clear_tail(" + tail(step) + ");\n";
        return copy(at(step.offset), slot(step.datum), fitting(step, datum)) + "  hone_clear_rest(" + at(step.offset) +
               ", " + bytes(datum) + ", " + std::to_string(step.bytes) + ");\n";
      case Kind::pointer:
        return "  hone_put(" + at(step.offset) + ", " + address_text(arguments_, spec_, step.datum) + ");\n";
      case Kind::vector:
        return "  hone_put_vector(" + at(step.offset) + ", " + slot(step.datum) + ", " + bytes(datum) + ");\n";
      case Kind::view:
        return view(step, datum) + (must_stay() ? "" : kept_view(step));
      case Kind::address:
        break;
    }
    return "";
  }

  static std::string view_lengths(const Parameter& datum) {
    std::string text;
    for (const Dimension& dimension : datum.extent)
      text += ", static_cast<__SIZE_TYPE__>(" + length(dimension.length) + ")";
    return text;
  }

  std::string view(const ArgumentStep& step, const Parameter& datum) const {
    return "  ::hone_harness::hone_put_view< " + step.type + ">(" + at(step.offset) + ", static_cast< " +
           datum.element.spelling + "*>(" + slot(step.datum) + ")" + view_lengths(datum) + ");\n";
  }

  std::string view_copy(const ArgumentStep& step) const {
    return "hone_view_" + number_ + "_" + std::to_string(step.offset);
  }

  std::string kept_view(const ArgumentStep& step) const {
    const std::string name = view_copy(step), size = "sizeof(" + step.type + ")";
    return "  unsigned char " + name + "[" + size + "];\n" + copy(name, at(step.offset), size);
  }

  std::string look(const ArgumentStep& step) const {
    if (step.kind == Kind::view && !must_stay())
      return "  hone_keep_view(" + at(step.offset) + ", " + view_copy(step) + ", sizeof " + view_copy(step) + ");\n";
    if (step.kind != Kind::array && step.kind != Kind::vector) return "";
    const Parameter& datum = spec_.parameters[step.datum];
    if (step.kind == Kind::vector)
      return "  hone_keep_vector(" + at(step.offset) + ", " + slot(step.datum) + ", " + bytes(datum) + ");\n";
    if (step.open && datum.role == Role::in) return "";  // the memory itself is compared
    if (step.open) return copy(slot(step.datum), at(step.offset), bytes(datum));
    const std::string rest =
        "  hone_keep_rest(" + at(step.offset) + ", " + bytes(datum) + ", " + std::to_string(step.bytes) + ");\n";
    if (datum.role != Role::in) return rest + copy(slot(step.datum), at(step.offset), bytes(datum));
    if (object_.memory == Memory::own) return "";
    return rest + "  hone_keep(" + at(step.offset) + ", " + slot(step.datum) + ", " + bytes(datum) + ");\n";
  }

  const Arguments& arguments_;
  const ArgumentObject& object_;
  const KernelSpec& spec_;
  std::string number_, at_;
};

bool names_pointers(const ArgumentObject& object) {
  return object.content && object.memory != Memory::own;
}

bool compares_pointers(const Arguments& arguments) {
  return !arguments.rows.empty() || std::ranges::any_of(arguments.objects, names_pointers);
}

// What pointers may point to, for whoever compares them.
std::string known_addresses(const Arguments& arguments, const KernelSpec& spec) {
  std::string text;
  unsigned count = 0;
  for (unsigned i = 0; i < spec.parameters.size(); ++i)
    if (spec.parameters[i].pointer)
      text += (count++ ? ", {" : "{") + slot(i) + ", " + all_bytes(spec.parameters[i]) + "}";
  for (unsigned i = 0; i < arguments.objects.size(); ++i, ++count)
    text += (count ? ", {hone_at_" : "{hone_at_") + std::to_string(i) + ", " +
            std::to_string(arguments.objects[i].size) + "}";
  return "  const struct hone_stretch hone_known[] = {" + text +
         "};\n  const unsigned hone_count = " + std::to_string(count) + ";\n  (void)hone_known;\n  (void)hone_count;\n";
}

}  // namespace

std::string text_before_call(const Arguments& arguments, const KernelSpec& spec) {
  std::string text;
  for (unsigned i = 0; i < arguments.objects.size(); ++i) text += ObjectText(arguments, spec, i).place();
  for (unsigned i = 0; i < arguments.objects.size(); ++i) text += ObjectText(arguments, spec, i).writes();
  text += rows_before_call(arguments, spec);
  if (compares_pointers(arguments)) text += known_addresses(arguments, spec);
  for (unsigned i = 0; i < arguments.objects.size(); ++i) text += ObjectText(arguments, spec, i).guards("hone_poison");
  return text + guards_before_call(arguments, spec);
}

std::string text_after_call(const Arguments& arguments, const KernelSpec& spec) {
  std::string text = guards_after_call(arguments, spec);
  for (unsigned i = 0; i < arguments.objects.size(); ++i)
    text += ObjectText(arguments, spec, i).guards("hone_unpoison");
  for (unsigned i = 0; i < arguments.objects.size(); ++i) text += ObjectText(arguments, spec, i).after();
  return text + rows_after_call(arguments, spec);
}

std::set<ExpressionId> lengths_in(const Arguments& arguments, const KernelSpec& spec) {
  std::set<ExpressionId> ids;
  const auto add = [&](const Parameter& datum) {
    for (const Dimension& dimension : datum.extent) {
      ids.insert(dimension.length);
      if (dimension.start) ids.insert(*dimension.start);
      if (dimension.stride) ids.insert(*dimension.stride);
    }
  };
  if (compares_pointers(arguments))
    for (const Parameter& parameter : spec.parameters)
      if (parameter.pointer) add(parameter);
  for (const ArgumentObject& object : arguments.objects)
    if (object.room || object.many) add(spec.parameters[object.room ? *object.room : *object.content]);
  for (const ArgumentObject& object : arguments.objects)
    for (const ArgumentStep& step : object.steps) {
      if (step.kind != Kind::array && step.kind != Kind::vector && step.kind != Kind::view) continue;
      add(spec.parameters[step.datum]);
    }
  return ids;
}

std::string with_data(const std::string& expression, const Arguments& arguments) {
  if (arguments.names.empty()) return expression;
  const SourceTokens tokens(expression, permissive_language());
  const auto fits = [&](const ScalarName& name, std::size_t at) {
    if (at + name.tokens.size() > tokens.size()) return false;
    for (std::size_t i = 0; i < name.tokens.size(); ++i)
      if (!tokens.is(at + i, name.tokens[i])) return false;
    return true;
  };
  std::string text;
  std::size_t done = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i > 0 && (tokens.is(i - 1, ".") || tokens.is(i - 1, "->") || tokens.is(i - 1, "::"))) continue;
    const ScalarName* longest = nullptr;
    for (const ScalarName& name : arguments.names)
      if (fits(name, i) && (!longest || name.tokens.size() > longest->tokens.size())) longest = &name;
    if (!longest) continue;
    const std::size_t end = tokens[i + longest->tokens.size() - 1].end;
    std::string datum = longest->value.empty() ? "hone_datum_" + std::to_string(longest->datum) : longest->value;
    if (datum.size() < end - tokens[i].begin) datum.resize(end - tokens[i].begin, ' ');
    text += expression.substr(done, tokens[i].begin - done) + datum;
    done = end;
    i += longest->tokens.size() - 1;
  }
  return text + expression.substr(done);
}

}  // namespace hone::frontend
