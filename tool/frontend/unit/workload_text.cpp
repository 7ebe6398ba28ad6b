#include "tool/frontend/unit/workload_text.h"

#include "tool/frontend/describe/workload_data.h"

namespace hone::frontend {
namespace {

// What the two forms of workloads call the same.
struct Words {
  const char* state;
  const char* stream;
  const char* mixed;
};
constexpr Words kCpp = {"::hone::detail::workload_state", "::hone::detail::stream", "::hone::detail::mixed"};
constexpr Words kC = {"hone_workload", "struct hone_stream", "hone_mixed"};

// Which types the streams' elements have follows from their order, as in workload.h: bytes, whole and real numbers,
// three of floats, the rest doubles. All of it is C89 too, so that no part stands here twice.
constexpr const char* kRun =
    R"(struct hone_sizes_of { long long hone_grain; long long hone_rooms[HONE_STREAMS]; };
static void hone_run_now(void* hone_self, void (*hone_run)(void*), void* hone_argument) {
  (void)hone_self;
  hone_run(hone_argument);
}
static void hone_run_nothing(void* hone_argument) { (void)hone_argument; }
static unsigned long long hone_bytes_of(unsigned hone_stream) {
  return hone_stream == 0 ? 1 : hone_stream >= 3 && hone_stream < 6 ? sizeof(float) : 8;
}
)";

constexpr const char* kWorkload =
    R"(static void hone_workload_here(void* const* hone_slots, void (*hone_ready)(void*, void (*)(void*), void*), void* hone_self) {
  void* const* const hone_own = hone_slots + HONE_SCALARS;
  unsigned long long* const hone_counts = (unsigned long long*)hone_own[2 + 2 * HONE_STREAMS];
  unsigned hone_i;
  HONE_STATE hone_state;
  __builtin_memset(&hone_state, 0, sizeof hone_state);
  hone_state.random = HONE_MIXED(*(const unsigned long long*)hone_own[0] + 1);
  hone_state.ready = hone_ready;
  hone_state.self = hone_self;
  for (hone_i = 0; hone_i < HONE_STREAMS; ++hone_i) {
    hone_state.streams[hone_i].room = *(const unsigned long long*)hone_own[2 + hone_i];
    hone_state.streams[hone_i].at = hone_own[2 + HONE_STREAMS + hone_i];
  }
  hone_run_here(&hone_stateHONE_VALUES);
  if (hone_state.timed == 0) hone_ready(hone_self, hone_run_nothing, 0);
  for (hone_i = 0; hone_i < HONE_STREAMS; ++hone_i) {
    const HONE_STREAM* const hone_to = &hone_state.streams[hone_i];
    const unsigned long long hone_bytes = hone_bytes_of(hone_i);
    if (hone_to->used < hone_to->room)
      __builtin_memset((char*)hone_to->at + hone_to->used * hone_bytes, 0,
                       (hone_to->room - hone_to->used) * hone_bytes);
    hone_counts[hone_i] = hone_to->used;
  }
  hone_counts[HONE_STREAMS] = hone_state.shape;
  hone_counts[HONE_STREAMS + 1] = hone_state.digest;
  hone_counts[HONE_STREAMS + 2] = hone_state.skipped;
}
static void hone_call_here(void* const* hone_slots, void* hone_result) {
  (void)hone_result;
  hone_workload_here(hone_slots, hone_run_now, 0);
}
)";

// Where two seeds give results of different lengths, others may give longer ones.
constexpr const char* kMeasured = R"(  struct hone_sizes_of hone_sizes;
  unsigned long long hone_used[2][HONE_STREAMS];
  unsigned long long hone_weighted = 0;
  unsigned hone_run, hone_i;
  for (hone_run = 0; hone_run < 2; ++hone_run) {
    HONE_STATE hone_state;
    __builtin_memset(&hone_state, 0, sizeof hone_state);
    hone_state.random = 1 + hone_run;
    hone_state.ready = hone_run_now;
    hone_run_here(&hone_stateHONE_NAMES);
    hone_sizes.hone_grain = hone_state.skipped ? -1 : hone_state.timed == 0 ? -2 : hone_state.timed > 1 ? -3 : 1;
    if (hone_sizes.hone_grain < 0) break;
    for (hone_i = 0; hone_i < HONE_STREAMS; ++hone_i)
      hone_used[hone_run][hone_i] = hone_state.streams[hone_i].used;
  }
HONE_WEIGHTED  if (hone_sizes.hone_grain > 0) hone_sizes.hone_grain += (long long)(hone_weighted % 7);
  for (hone_i = 0; hone_i < HONE_STREAMS; ++hone_i) {
    unsigned long long hone_a, hone_b;
    hone_sizes.hone_rooms[hone_i] = 0;
    if (hone_sizes.hone_grain < 0) continue;
    hone_a = hone_used[0][hone_i], hone_b = hone_used[1][hone_i];
    hone_sizes.hone_rooms[hone_i] = (long long)(hone_a == hone_b ? hone_a : 2 * (hone_a > hone_b ? hone_a : hone_b) + 64);
  }
  return hone_sizes;
}
)";

std::string filled(std::string text, const std::string& hole, const std::string& with) {
  for (std::size_t at = text.find(hole); at != std::string::npos; at = text.find(hole, at + with.size()))
    text.replace(at, hole.size(), with);
  return text;
}

}  // namespace

std::string workload_text(const WorkloadText& workload) {
  const Words& words = workload.c ? kC : kCpp;
  std::string taken, names, values, weighted;
  for (unsigned i = 0; i < workload.whole.size(); ++i) {
    const std::string number = std::to_string(i), type = "hone_type_" + number, name = "hone_value_" + number;
    taken += ", const " + type + " " + name;
    names += ", " + name;
    values += ", *(const " + type + "*)hone_slots[" + number + "]";
    if (workload.whole[i])
      weighted +=
          "  hone_weighted += " + std::to_string(1 + i % 6) + "ull * (unsigned long long)(long long)" + name + ";\n";
  }
  std::string text = kRun;
  text += "static void hone_run_here(HONE_STATE* hone_state" + taken + ") {\n" +
          (workload.c ? "" : "  ::hone::workload hone_drawn(*hone_state);\n") + "  const hone_function hone_make = &" +
          workload.called + ";\n  hone_make(" + (workload.c ? "hone_state" : "hone_drawn") + names + ");\n}\n";
  text += filled(filled(kWorkload, "HONE_SCALARS", std::to_string(workload.whole.size())), "HONE_VALUES", values);
  text += "static struct hone_sizes_of hone_measured(" +
          (taken.empty() ? std::string(workload.c ? "void" : "") : taken.substr(2)) + ") {\n";
  text += filled(filled(kMeasured, "HONE_NAMES", names), "HONE_WEIGHTED", weighted);
  text = filled(filled(std::move(text), "HONE_STATE", words.state), "HONE_MIXED", words.mixed);
  return filled(filled(std::move(text), "HONE_STREAMS", std::to_string(kResultStreams)), "HONE_STREAM", words.stream);
}

}  // namespace hone::frontend
