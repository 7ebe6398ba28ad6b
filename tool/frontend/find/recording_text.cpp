#include "tool/frontend/find/recording_text.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <vector>

#include "tool/frontend/find/body_insertion.h"
#include "tool/frontend/find/recorded_data.h"
#include "tool/frontend/parse/template_parameter.h"
#include "tool/model/kernel_language.h"
#include "tool/model/workload_kernel.h"

namespace hone::frontend {
namespace {

// As recording.h has them, for any compiler: C89 has neither inline functions nor //.
constexpr const char* kDeclarations = R"(#ifndef HONE_RECORDER_DECLARED
#define HONE_RECORDER_DECLARED
#ifdef __cplusplus
extern "C" {
#endif
struct hone_capture_value { const char* name; const void* at; unsigned long long count; unsigned size; unsigned kind; };
struct hone_capture_mark { unsigned long long hone_state[3]; };
int hone_capture_call(struct hone_capture_mark*, const char*, const struct hone_capture_value*, unsigned);
void hone_capture_inputs(struct hone_capture_mark*, const char*, const struct hone_capture_value*, unsigned,
                         const struct hone_capture_value*, unsigned);
void hone_capture_end(struct hone_capture_mark*);
#ifdef __cplusplus
}
#endif
#endif
)";

// Rows that lie wherever they were allocated, into memory as the harness has it (frontend/unit/row_text.cpp).
constexpr const char* kRowDeclarations = R"(#ifndef HONE_ROW_RECORDER_DECLARED
#define HONE_ROW_RECORDER_DECLARED
__attribute__((__unused__)) static void* hone_capture_rows(const void* hone_table, long long hone_count,
                                                           unsigned long long hone_row,
                                                           unsigned long long hone_apart) {
  unsigned char* hone_all = 0;
  const unsigned char* hone_one = 0;
  long long hone_i, hone_place;
  if (hone_table && hone_count > 0)
    hone_all = (unsigned char*)__builtin_calloc((unsigned long)hone_count, (unsigned long)hone_apart);
  for (hone_i = 0; hone_all && hone_i < hone_count; ++hone_i) {
    hone_place = ((hone_i & 7) < 2 || (hone_i & 7) > 5) && (hone_i ^ 1) < hone_count ? hone_i ^ 1 : hone_i;
    __builtin_memcpy(&hone_one, (const unsigned char*)hone_table + (unsigned long)hone_i * sizeof hone_one,
                     sizeof hone_one);
    if (hone_one)
      __builtin_memcpy(hone_all + (unsigned long long)hone_place * hone_apart, hone_one, (unsigned long)hone_row);
  }
  return hone_all;
}
#endif
)";

// A device's arrays come back before they are told of. Nothing of the program's errors is taken.
constexpr const char* kDeviceDeclarations = R"(#ifndef HONE_DEVICE_RECORDER_DECLARED
#define HONE_DEVICE_RECORDER_DECLARED
static inline void hone_capture_device(struct hone_capture_mark* hone_mark, const char* hone_kernel,
                                       const struct hone_capture_value* hone_scalars, unsigned hone_number,
                                       struct hone_capture_value* hone_arrays, unsigned hone_count,
                                       cudaStream_t hone_stream) {
  void* hone_copies[64] = {};
  enum cudaStreamCaptureStatus hone_status = cudaStreamCaptureStatusNone;
  bool hone_whole = hone_count <= 64 && cudaStreamIsCapturing(hone_stream, &hone_status) == cudaSuccess &&
                    hone_status == cudaStreamCaptureStatusNone && cudaDeviceSynchronize() == cudaSuccess;
  for (unsigned hone_i = 0; hone_whole && hone_i < hone_count; ++hone_i) {
    struct cudaPointerAttributes hone_where;
    const unsigned long long hone_bytes = hone_arrays[hone_i].count * hone_arrays[hone_i].size;
    if (cudaPointerGetAttributes(&hone_where, hone_arrays[hone_i].at) != cudaSuccess) hone_whole = false;
    if (!hone_whole || hone_where.type == cudaMemoryTypeUnregistered || hone_bytes == 0) continue;
    hone_copies[hone_i] = __builtin_malloc(hone_bytes);
    hone_whole = hone_copies[hone_i] && cudaMemcpy(hone_copies[hone_i], hone_arrays[hone_i].at, hone_bytes,
                                                   cudaMemcpyDefault) == cudaSuccess;
    hone_arrays[hone_i].at = hone_copies[hone_i];
  }
  if (hone_whole)
    hone_capture_inputs(hone_mark, hone_kernel, hone_scalars, hone_number, hone_arrays, hone_count);
  else
    (void)cudaGetLastError();
  for (unsigned hone_i = 0; hone_i < hone_count && hone_i < 64; ++hone_i) __builtin_free(hone_copies[hone_i]);
}
#endif
)";

std::string why_not(const TranslationUnit& unit, const clang::FunctionDecl& function, const Description& description,
                    const KernelSpec& spec) {
  if (description.workload) return "its workload makes its inputs, so there are none to record";
  if (spec.global) return "it is a __global__ kernel; annotate the host function that launches it";
  if (function.isConstexpr()) return "it is constexpr";
  for (const PointerRow& row : description.arguments.rows)
    if (!row.table)
      return "it takes an array of structs with pointers inside, which is not recorded yet; say in its annotation what "
             "it works on, by problem() and init()";
  const clang::CompoundStmt* body = body_of(function);
  if (!body || !body->getLBracLoc().isFileID() || !unit.in_main_file(body->getLBracLoc()))
    return "its body does not stand in the file as a block of its own";
  return "";
}

class Writer {
 public:
  Writer(const clang::FunctionDecl& function, const Description& description, const KernelSpec& spec)
      : description_(description), spec_(spec), data_(function, description, spec) {
    for (unsigned i = 0; i < spec.parameters.size(); ++i) {
      const Parameter& parameter = spec.parameters[i];
      if (parameter.name.empty() || parameter.stream || parameter.element.fields.empty() || parameter.composed)
        continue;
      const bool size = std::ranges::count(description.sizes, i) > 0;
      if (size) sizes_.push_back(i);
      if (!size && !(parameter.pointer && parameter.role == Role::out)) inputs_.push_back(i);
    }
  }

  std::string declaration() const {
    return "struct hone_capture_mark hone_mark __attribute__((__cleanup__(hone_capture_end), __unused__)) = {{0, 0, "
           "0}};\n";
  }

  std::string call() const {
    const std::string kernel = '"' + spec_.mangled_name + '"', scalars = ", hone_scalars, " + count(sizes_);
    std::string text = "{\n";
    for (const TemplateParameter& parameter : description_.template_parameters)
      if (!parameter.name.empty()) text += declared(parameter, true) + "\n";
    text += data_.declarations() + "struct hone_capture_value hone_scalars[" + room(sizes_) + "];\n";
    text += data_.scalars();
    for (std::size_t i = 0; i < sizes_.size(); ++i) text += value("hone_scalars", i, sizes_[i]);
    if (sizes_.empty()) text += "(void)hone_scalars;\n";
    text += "if (hone_capture_call(&hone_mark, " + kernel + scalars + ")) {\nstruct hone_capture_value hone_arrays[" +
            room(inputs_) + "];\n";
    for (const unsigned i : inputs_) text += gathered(i);
    for (const unsigned i : inputs_) text += data_.copy(i);
    for (const unsigned i : inputs_) text += data_.filled(i);
    for (std::size_t i = 0; i < inputs_.size(); ++i) text += value("hone_arrays", i, inputs_[i]);
    const std::string arguments = "(&hone_mark, " + kernel + scalars + ", hone_arrays, " + count(inputs_);
    text += spec_.cuda ? "hone_capture_device" + arguments + ", " + stream() + ");\n}\n"
                       : "hone_capture_inputs" + arguments + ");\n" + freed() + "}\n";
    // What a launch takes of the host's time says nothing of the device's.
    return text + (spec_.cuda ? "hone_mark.hone_state[2] = 0;\n}\n" : "}\n");
  }

 private:
  static std::string count(const std::vector<unsigned>& some) { return std::to_string(some.size()); }
  static std::string room(const std::vector<unsigned>& some) {
    return std::to_string(std::max<std::size_t>(some.size(), 1));
  }

  std::string stream() const {
    for (const Parameter& parameter : spec_.parameters)
      if (parameter.stream && !parameter.name.empty()) return parameter.name;
    return "(cudaStream_t)0";
  }

  // Of rows behind pointers, which come one after another in the recording.
  const PointerRow* rows(unsigned parameter) const { return description_.arguments.table_of(parameter); }
  static std::string gathered_name(unsigned parameter) { return "hone_rows_" + std::to_string(parameter); }

  std::string gathered(unsigned parameter) const {
    if (!rows(parameter)) return "";
    const Parameter& one = spec_.parameters[parameter];
    std::string row = std::to_string(one.element.size) + "ull";
    for (std::size_t d = 1; d < one.extent.size(); ++d) row += " * (unsigned long long)" + size(one.extent[d]);
    return "void* const " + gathered_name(parameter) + " = hone_capture_rows(" + data_.address(parameter) + ", " +
           size(one.extent[0]) + ", " + row + ", " + std::to_string(one.element.size) + "ull * (unsigned long long)(" +
           text(*one.extent[0].stride) + "));\n";
  }

  std::string freed() const {
    std::string all;
    for (const unsigned i : inputs_) all += rows(i) ? "__builtin_free(" + gathered_name(i) + ");\n" : data_.release(i);
    return all;
  }

  std::string value(const std::string& list, std::size_t index, unsigned parameter) const {
    const Parameter& one = spec_.parameters[parameter];
    const std::string to = list + "[" + std::to_string(index) + "].";
    const std::string at = rows(parameter) ? gathered_name(parameter) : data_.address(parameter);
    return to + "name = \"" + one.name + "\"; " + to + "at = " + at + "; " + to +
           "size = " + std::to_string(one.element.size) + "; " + to +
           "kind = " + std::to_string(static_cast<unsigned>(one.element.fields.front().type.kind)) + ";\n" + to +
           "count = " + (one.pointer ? elements(one) : "1") + ";\n";
  }

  // Of one dimension, what its section leaves out in front included.
  std::string size(const Dimension& dimension) const {
    const std::string length = "(long long)(" + text(dimension.length) + ")";
    return dimension.start ? "((long long)(" + text(*dimension.start) + ") + " + length + ")" : length;
  }

  // Of the whole array; a negative length is an empty array.
  std::string elements(const Parameter& array) const {
    std::string product, whole;
    for (const Dimension& dimension : array.extent) {
      whole += (whole.empty() ? "(long long)(" : " && (long long)(") + text(dimension.length) + ") > 0";
      product += (product.empty() ? "" : " * ") + std::string("(unsigned long long)") + size(dimension);
    }
    const Dimension& first = array.extent.front();
    if (first.stride) {  // up to where the last row ends
      product = "1";
      for (std::size_t d = 1; d < array.extent.size(); ++d)
        product += " * (unsigned long long)" + size(array.extent[d]);
      product += " + (unsigned long long)(" + size(first) + " - 1) * (unsigned long long)(" + text(*first.stride) + ")";
    }
    return "(" + whole + ") ? " + product + " : 0";
  }

  std::string text(ExpressionId id) const { return data_.text(description_.expressions[id].text); }

  const Description& description_;
  const KernelSpec& spec_;
  const RecordedData data_;
  std::vector<unsigned> sizes_, inputs_;
};

}  // namespace

Recording recording_of(const TranslationUnit& unit, const clang::FunctionDecl& function, const Description& description,
                       const Placement& placement, bool instance, const KernelSpec& spec) {
  Recording recording;
  recording.why_not = why_not(unit, function, description, spec);
  if (!recording.why_not.empty()) return recording;
  const Writer writer(function, description, spec);
  recording.declarations = kDeclarations + std::string(spec.cuda ? kDeviceDeclarations : "") +
                           (description.arguments.any() ? kObjectDeclarations : "") +
                           (description.arguments.rows.empty() ? "" : kRowDeclarations);
  recording.at = unit.offset(body_of(function)->getLBracLoc()) + 1;
  recording.call = writer.declaration() + writer.call();
  if (is_c(spec)) {  // C89 has no declarations behind statements: the body becomes a block
    recording.call += "{\n";
    recording.end = "}\n";
  }
  if (instance) {
    const std::string& text = unit.text();
    recording.definition = text.substr(placement.begin, recording.at - placement.begin) + "\n" + recording.call +
                           text.substr(recording.at, placement.end - recording.at);
  }
  return recording;
}

}  // namespace hone::frontend
