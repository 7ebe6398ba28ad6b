#include "tool/judge/bench/failure_text.h"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>

#include <regex>
#include <sstream>

#include "tool/model/harness_objection.h"

namespace hone::judge {
namespace {

std::string signal_name(int number) {
  const char* name = sigabbrev_np(number);
  return name ? fmt::format("SIG{}", name) : fmt::format("signal {}", number);
}

const char* verb(const runner::Fault& fault) {
  return fault.write == 0 ? "reading" : fault.write == 1 ? "writing" : "accessing";
}

bool is_memory_fault(const runner::Fault& fault) {
  return fault.signal == SIGSEGV || fault.signal == SIGBUS;
}

// x86 faults without an address where an aligned load or store meets an address that is not, or where none can be.
bool is_misaligned(const runner::Fault& fault) {
#if defined(__x86_64__)
  return fault.signal == SIGSEGV && fault.code == SI_KERNEL && fault.address == 0;
#else
  return fault.signal == SIGBUS && fault.code == BUS_ADRALN;
#endif
}

// The array in whose pages, or the guard pages beside them, the address lies.
std::string at_array(const runner::Fault& fault, const KernelData& spec, const Case& c, const Layout& layout, Ends ends,
                     std::span<const std::uint64_t> addresses) {
  constexpr std::uint64_t guard = 4096;
  for (unsigned i = 0; i < spec.parameters.size(); ++i) {
    const Place& place = layout.places[i];
    if (place.region < 0 || static_cast<std::size_t>(place.region) >= addresses.size()) continue;
    const std::uint64_t base = addresses[static_cast<std::size_t>(place.region)];
    if (fault.address + guard < base || fault.address >= base + place.length + guard) continue;
    const auto array = static_cast<long long>(base + (place.at(ends) - place.offset));
    const auto size = static_cast<long long>(spec.parameters[i].element.size);
    const long long offset = static_cast<long long>(fault.address) - array;
    const long long element = offset >= 0 ? offset / size : (offset - size + 1) / size;
    const std::string distance = distance_from(spec.parameters[i], c.arrays[i], element);
    return fmt::format(
        "{} {} ({})", verb(fault), element_name(spec.parameters[i], c.arrays[i], element),
        distance.empty() ? place.output ? "inside the array" : "an input, which is read-only" : distance);
  }
  return "";
}

// What the harness found behind the call; "": the fault is the call's own.
std::string objection_of(const runner::Fault& fault) {
  if (!is_memory_fault(fault) || fault.write == 0) return "";
  switch (static_cast<HarnessObjection>(fault.address)) {
    case HarnessObjection::input:
      return "changed a part of an object that is only read";
    case HarnessObjection::container:
      return "changed the size of a container that it is given; its memory is the judge's and keeps its size: size it "
             "in the caller, or describe the calls by workload()";
    case HarnessObjection::view:
      return "moved a view that it is given, or changed its length: move a copy, or describe the calls by workload()";
    case HarnessObjection::untouched:
      return "wrote to a member or a variable that the original leaves alone";
    case HarnessObjection::rest:
      return "wrote behind the elements that an array in an object has";
  }
  return "";
}

std::string describe_crash(const runner::Fault& fault, const std::string& array) {
  if (std::string objection = objection_of(fault); !objection.empty()) return objection;
  std::string text = "crashed: " + signal_name(fault.signal);
  const auto distance_to_stack = static_cast<long long>(fault.stack - fault.address);
  if (is_misaligned(fault))
    text += " by a misaligned access (or through a pointer that is no address)";
  else if (!array.empty())
    text += " " + array;
  else if (is_memory_fault(fault) && fault.address < 4096)
    text += fmt::format(" {} through a null pointer", verb(fault));
  else if (is_memory_fault(fault) && distance_to_stack < (1 << 20) && distance_to_stack > -(1 << 16))
    text += " (its stack overflowed)";
  else if (is_memory_fault(fault))
    text += fmt::format(" {} memory that is none of its arguments", verb(fault));
  else if (fault.signal == SIGFPE)
    text += " (an integer division by zero, or one that overflows)";
  else if (fault.signal == SIGILL)
    text += " (an instruction that this machine lacks, or unreachable code)";
  else if (fault.signal == SIGSYS)
    text += " (a system call that the sandbox forbids)";
  else if (fault.signal == SIGABRT)
    text += " (abort, an uncaught exception, a failed assertion, or a container that is given and was made larger)";
  if (fault.out_of_memory) text += "; it had used up the memory that it may take";
  return text;
}

std::string describe_with(const RunnerFailure& failure, const std::string& array) {
  using Kind = RunnerFailure::Kind;
  if (failure.over_memory) return "was stopped: it took more memory than it may";
  switch (failure.kind) {
    case Kind::crashed:
      return describe_crash(failure.fault, array);
    case Kind::timed_out:
      if (failure.ran_seconds >= 0)
        return fmt::format("did not end within {:.3g} s, of which it ran for {:.2g} s: the machine is too busy to tell",
                           failure.seconds, failure.ran_seconds);
      return fmt::format("did not end within {:.3g} s", failure.seconds);
    case Kind::device:
      return "failed on the device: " + failure.text;
    case Kind::refused_to_load:
      return failure.text;
    case Kind::nonsense:
      return failure.text.empty() ? "answered nonsense: it has written over the runner" : failure.text;
    case Kind::ended:
      break;
  }
  if (failure.exit_signal != 0) return "was killed by " + signal_name(failure.exit_signal);
  return fmt::format("ended its process: exit({})", failure.exit_code);
}

std::string first_match(const std::string& text, const std::regex& pattern, std::size_t group) {
  std::smatch match;
  return std::regex_search(text, match, pattern) ? match[group].str() : "";
}

// A sanitizer's next line. Long ones, which a long name makes, say nothing, and std::regex would take a frame of the
// stack for each of their characters.
bool next_line(std::istringstream& lines, std::string& line) {
  constexpr std::size_t longest = 2000;
  while (std::getline(lines, line))
    if (line.size() <= longest) return true;
  return false;
}

// "candidate:7", in whatever folder it was compiled.
std::string without_folder(const std::string& place) {
  const std::size_t at = place.rfind("/candidate:");
  return at == std::string::npos ? place : place.substr(at + 1);
}

// One of the accesses that ThreadSanitizer tells of, and its frames.
struct Access {
  std::string verb, size, where;
};

// The kernel's own line, where a frame has one; else the library's in which it happened.
void read_frame(const std::string& line, Access& access) {
  static const std::regex frame(R"(^\s+#\d+ .* (\S+:\d+)(?::\d+)? \()");
  static const std::regex library(R"(^(/usr/|/lib|\.\./|<))");
  const std::string place = first_match(line, frame, 1);
  if (place.empty() || place.find("runner.cpp") != std::string::npos) return;
  const bool theirs = std::regex_search(place, library);
  if (access.where.empty() || (std::regex_search(access.where, library) && !theirs))
    access.where = without_folder(place);
}

std::string race_summary(const std::string& report) {
  static const std::regex first_line(
      R"((?:WARNING|ERROR): ThreadSanitizer: (.*?)(?: \(pid=\d+\)| on unknown address.*)?$)");
  static const std::regex head(R"(^  (?:Previous )?(?:[Aa]tomic )?([Rr]ead|[Ww]rite) of size (\d+) at )");
  std::istringstream lines(report);
  std::string kind;
  std::vector<Access> accesses;
  bool in_access = false;
  for (std::string line; next_line(lines, line);) {
    std::smatch match;
    if (kind.empty()) {
      kind = first_match(line, first_line, 1);
    } else if (std::regex_search(line, match, head)) {
      const bool reads = match[1] == "read" || match[1] == "Read";
      accesses.push_back({reads ? "reads" : "writes", match[2], ""});
      in_access = true;
    } else if (in_access) {
      in_access = !line.empty();
      read_frame(line, accesses.back());
    }
  }
  for (std::size_t i = 0; i < accesses.size() && i < 2; ++i) {
    const Access& access = accesses[i];
    kind += fmt::format("{}{} {} bytes{}{}", i == 0 ? ": one thread " : ", another ", access.verb, access.size,
                        access.where.empty() ? "" : " at ", access.where);
  }
  return kind;
}

}  // namespace

std::string describe(const RunnerFailure& failure, const KernelData& spec, const Case& c, const Layout& layout,
                     Ends ends, std::span<const std::uint64_t> addresses) {
  const bool where = failure.kind == RunnerFailure::Kind::crashed && is_memory_fault(failure.fault);
  return describe_with(failure, where ? at_array(failure.fault, spec, c, layout, ends, addresses) : "");
}

std::string describe(const RunnerFailure& failure) {
  return describe_with(failure, "");
}

DiagnosticCode code_of(const RunnerFailure& failure) {
  return failure.kind == RunnerFailure::Kind::timed_out ? DiagnosticCode::call_too_long : DiagnosticCode::call_fails;
}

DiagnosticCode code_of_report(std::string_view report) {
  return report.find("ThreadSanitizer: ") != report.npos ? DiagnosticCode::data_race : DiagnosticCode::memory_error;
}

std::string sanitizer_summary(const std::string& report) {
  if (report.find("ThreadSanitizer: ") != std::string::npos) return race_summary(report);
  std::istringstream lines(report);
  static const std::regex runtime_error(R"(^(\S+:\d+:\d+): runtime error: (.*)$)");
  static const std::regex asan(R"(ERROR: AddressSanitizer: ([\w-]+))");
  static const std::regex access(R"(^(READ|WRITE) of size (\d+))");
  static const std::regex frame(R"(#\d+ 0x[0-9a-f]+ in \S.* (\S+:\d+)(:\d+)?$)");
  std::string kind, size, where;
  for (std::string line; next_line(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, runtime_error))
      return fmt::format("{} at {}", match[2].str(), without_folder(match[1]));
    if (kind.empty()) kind = first_match(line, asan, 1);
    if (size.empty() && std::regex_search(line, match, access))
      size = fmt::format(" {} {} bytes", match[1] == "READ" ? "reading" : "writing", match[2].str());
    if (!kind.empty() && where.empty() && std::regex_search(line, match, frame) &&
        match[1].str().find("runner.cpp") == std::string::npos)
      where = " at " + without_folder(match[1]);
  }
  return kind.empty() ? "" : kind + size + where;
}

bool lacks_room(std::string_view failure) {
  return failure.find("too many resources requested for launch") != std::string_view::npos ||
         failure.find("too many blocks in cooperative launch") != std::string_view::npos;
}

}  // namespace hone::judge
