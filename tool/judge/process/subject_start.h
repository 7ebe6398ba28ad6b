// How the judge has processes started: a port, so that a test can hand out subjects of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "tool/base/result.h"
#include "tool/judge/process/subject.h"

namespace hone::judge {

// What an object was built with: nothing, AddressSanitizer and UndefinedBehaviorSanitizer, ThreadSanitizer.
enum class Sanitizers { none, memory, races };

// What threads of OpenMP do first where they wait: by their environment, without a word of the candidate's.
enum class Waiting { spins, sleeps };

struct SubjectNeeds {
  std::size_t memory_bytes = 0;  // that the process may map
  Sanitizers sanitizers = Sanitizers::none;
  Waiting waiting = Waiting::spins;
};

// `object`: one of the bundle's, by reference, since what is preloaded depends on which it is. The object may still be
// loading: Subject::ready() waits for that.
using StartSubject =
    std::function<Result<std::unique_ptr<Subject>>(const std::string& object, const SubjectNeeds& needs)>;

}  // namespace hone::judge
