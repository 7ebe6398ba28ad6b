#include "tool/frontend/find/recorded_data.h"

#include <cctype>
#include <set>

#include "tool/frontend/unit/argument_text.h"
#include "tool/model/kernel_language.h"

namespace hone::frontend {

using Kind = ArgumentStep::Kind;
using Memory = ArgumentObject::Memory;

const char* const kObjectDeclarations = R"(#ifndef HONE_OBJECT_RECORDER_DECLARED
#define HONE_OBJECT_RECORDER_DECLARED
__attribute__((__unused__)) static const void* hone_capture_member(const void* hone_object,
                                                                   unsigned long hone_offset) {
  return hone_object ? (const char*)hone_object + hone_offset : (const char*)0;
}
__attribute__((__unused__)) static const void* hone_capture_pointer(const void* hone_object,
                                                                    unsigned long hone_offset) {
  const void* hone_pointer = 0;
  if (hone_object)
    __builtin_memcpy(&hone_pointer, (const char*)hone_object + hone_offset, sizeof hone_pointer);
  return hone_pointer;
}
__attribute__((__unused__)) static void* hone_capture_to(void* hone_copy, unsigned long hone_offset) {
  return hone_copy ? (char*)hone_copy + hone_offset : (char*)0;
}
__attribute__((__unused__)) static void hone_capture_copy(void* hone_to, const void* hone_object,
                                                          unsigned long hone_offset, unsigned long hone_bytes) {
  if (hone_to && hone_object) __builtin_memcpy(hone_to, (const char*)hone_object + hone_offset, hone_bytes);
}
#endif
)";

namespace {

std::string object_name(unsigned number) {
  return "hone_object_" + std::to_string(number);
}

// As with_data() has it.
std::string scalar_name(unsigned datum) {
  return "hone_datum_" + std::to_string(datum);
}

std::string copy_name(unsigned datum) {
  return "hone_numbers_" + std::to_string(datum);
}

std::string behind(const std::string& object, std::size_t offset) {
  return "(" + object + ", " + std::to_string(offset) + "ul)";
}

// The extent of std::span<T> is a number that no plain literal has.
std::string class_of(const ArgumentStep& step) {
  const std::string largest = std::to_string(~0ull);
  std::string type = step.type;
  for (std::size_t at = type.find(largest); at != std::string::npos; at = type.find(largest, at + largest.size())) {
    const std::size_t end = at + largest.size();
    if (end == type.size() || !std::isalnum(static_cast<unsigned char>(type[end]))) type.insert(end, "ul");
  }
  return type;
}

// Offsets where the object holds addresses.
std::set<std::size_t> addresses_in(const ArgumentObject& object) {
  std::set<std::size_t> offsets(object.pointers.begin(), object.pointers.end());
  for (const ArgumentStep& step : object.steps)
    if (step.kind == Kind::pointer || step.kind == Kind::address) offsets.insert(step.offset);
  return offsets;
}

}  // namespace

RecordedData::RecordedData(const clang::FunctionDecl& function, const Description& description, const KernelSpec& spec)
    : function_(function), description_(description), arguments_(description.arguments), spec_(spec) {}

std::string RecordedData::declarations() const {
  std::string text;
  for (unsigned i = 0; i < arguments_.objects.size(); ++i)
    text += "const void* const " + object_name(i) + " __attribute__((__unused__)) = " + base(i) + ";\n";
  for (const auto& [datum, type] : arguments_.types)
    text += type + " " + scalar_name(datum) + " __attribute__((__unused__)) = 0;\n";
  return text;
}

// Members first: the number of an element may be one.
std::string RecordedData::scalars() const {
  std::string members, others;
  for (const auto& [datum, type] : arguments_.types) {
    const auto writer = writer_of(datum);
    if (writer)
      members += "hone_capture_copy(&" + scalar_name(datum) + ", " + object_name(writer->object) + ", " +
                 std::to_string(writer->step->offset) + "ul, " + std::to_string(writer->step->bytes) + "ul);\n";
    else if (spec_.parameters[datum].name.ends_with("]"))
      others += scalar_name(datum) + " = " + element_of(datum, type) + ";\n";
    else
      members += scalar_name(datum) + " = " + call_of(datum, type) + ";\n";
  }
  return members + others;
}

// x.size() of a container that a clause names; else what the name says here, as last-first.
std::string RecordedData::call_of(unsigned datum, const std::string& type) const {
  const std::string& name = spec_.parameters[datum].name;
  const std::size_t dot = name.rfind('.');
  const std::string plain = "(" + type + ")(" + name + ")";
  if (!name.ends_with(")") || dot == std::string::npos) return plain;
  for (unsigned i = 0; i < spec_.parameters.size(); ++i) {
    const auto writer = spec_.parameters[i].name == name.substr(0, dot) ? writer_of(i) : std::nullopt;
    if (!writer || writer->step->kind == Kind::pointer) continue;
    const std::string at = "hone_capture_member" + behind(object_name(writer->object), writer->step->offset);
    return object_name(writer->object) + " ? (" + type + ")(((const " + class_of(*writer->step) + "*)" + at + ")->" +
           name.substr(dot + 1) + ") : 0";
  }
  return plain;
}

// rows[n]
std::string RecordedData::element_of(unsigned datum, const std::string& type) const {
  const std::string& name = spec_.parameters[datum].name;
  const std::size_t open = name.find('[');
  const std::string inner = name.substr(open + 1, name.size() - open - 2);
  for (unsigned i = 0; i < spec_.parameters.size(); ++i) {
    const Parameter& array = spec_.parameters[i];
    if (array.name != name.substr(0, open) || !array.pointer) continue;
    return "(" + address(i) + ") ? (" + type + ")((const " + array.element.spelling + "*)(" + address(i) + "))[" +
           text(inner) + "] : 0";
  }
  return "(" + type + ")(" + name + ")";
}

std::string RecordedData::copy(unsigned datum) const {
  if (!object_with(datum)) return "";
  return "void* const " + copy_name(datum) + " = __builtin_calloc(1ul, " +
         std::to_string(spec_.parameters[datum].element.size) + "ul);\n";
}

std::string RecordedData::filled(unsigned datum) const {
  const auto number = object_with(datum);
  return number ? fields_of(datum, *number) : "";
}

// Stretches of fields that follow each other are one.
std::string RecordedData::fields_of(unsigned datum, unsigned number) const {
  const std::set<std::size_t> addresses = addresses_in(arguments_.objects[number]);
  std::string text;
  std::size_t begin = 0, end = 0;
  const auto flush = [&] {
    if (end > begin)
      text += "hone_capture_copy(hone_capture_to" + behind(copy_name(datum), begin) + ", " + object_name(number) +
              ", " + std::to_string(begin) + "ul, " + std::to_string(end - begin) + "ul);\n";
  };
  for (const Field& field : spec_.parameters[datum].element.fields) {
    if (addresses.contains(field.offset)) continue;
    if (field.offset != end) {
      flush();
      begin = field.offset;
    }
    end = field.offset + field.type.size * field.count;
  }
  flush();
  return text;
}

std::string RecordedData::release(unsigned datum) const {
  return object_with(datum) ? "__builtin_free(" + copy_name(datum) + ");\n" : "";
}

std::string RecordedData::address(unsigned datum) const {
  if (object_with(datum)) return copy_name(datum);
  if (const auto writer = writer_of(datum)) return stepped(*writer);
  if (const PointerRow* row = arguments_.table_of(datum))
    if (const auto writer = writer_of(row->holder)) return stepped(*writer);
  if (arguments_.types.contains(datum)) return "&" + scalar_name(datum);
  return parameter(datum);
}

std::string RecordedData::text(const std::string& expression) const {
  return with_data(expression, arguments_);
}

std::string RecordedData::stepped(const Writer& writer) const {
  const std::string place = behind(object_name(writer.object), writer.step->offset);
  switch (writer.step->kind) {
    case Kind::pointer:
    case Kind::vector:  // its first pointer, as the harness writes it
      return "hone_capture_pointer" + place;
    case Kind::view:
      return "(" + object_name(writer.object) + " ? (const void*)((const " + class_of(*writer.step) +
             "*)hone_capture_member" + place + ")->" + writer.step->data + "() : (const void*)0)";
    default:
      return "hone_capture_member" + place;
  }
}

bool RecordedData::is_parameter(unsigned datum) const {
  return datum < function_.getNumParams();
}

// The datum that fills the object before the steps.
std::optional<unsigned> RecordedData::object_with(unsigned datum) const {
  for (unsigned i = 0; i < arguments_.objects.size(); ++i)
    if (arguments_.objects[i].content == datum && spec_.parameters[datum].pointer) return i;
  return std::nullopt;
}

std::optional<RecordedData::Writer> RecordedData::writer_of(unsigned datum) const {
  for (unsigned i = 0; i < arguments_.objects.size(); ++i)
    for (const ArgumentStep& step : arguments_.objects[i].steps)
      if (step.kind != Kind::address && step.datum == datum) return Writer{i, &step};
  return std::nullopt;
}

// An object is a parameter or what that points to, the function's own, a variable, or stands behind a pointer in one.
std::string RecordedData::base(unsigned number) const {
  if (arguments_.self == number) return "(const void*)this";
  for (const auto& [datum, object] : arguments_.object_of)
    if (object == number) return parameter(datum);
  if (arguments_.objects[number].memory == Memory::variable)
    return "(const void*)&" + arguments_.objects[number].variable;
  for (unsigned i = 0; i < arguments_.objects.size(); ++i)
    for (const ArgumentStep& step : arguments_.objects[i].steps)
      if (step.kind == Kind::address && step.object == number)
        return "hone_capture_pointer" + behind(object_name(i), step.offset);
  return "(const void*)0";
}

// Of a pointer what it points to, of all else what it is.
std::string RecordedData::parameter(unsigned datum) const {
  const std::string& name = spec_.parameters[datum].name;
  const bool followed = spec_.parameters[datum].pointer || arguments_.object_of.contains(datum);
  if (followed && is_parameter(datum) && function_.getParamDecl(datum)->getType()->isPointerType())
    return "(const void*)" + name;
  return is_c(spec_) ? "(const void*)&" + name : "(const void*)__builtin_addressof(" + name + ")";
}

}  // namespace hone::frontend
