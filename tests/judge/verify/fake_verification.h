// A whole verification on fakes: every problem that the kernel's description declares is a case.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <vector>

#include "tests/judge/fake_ground.h"
#include "tests/judge/fake_subject.h"
#include "tool/judge/verify/case_maker.h"
#include "tool/judge/verify/verifier.h"

namespace hone::judge {

struct FakeVerification {
  KernelSpec spec;
  bundle::Plan plan{.seed = 7, .memory_bytes = 1u << 30};
  std::vector<int> sizes;  // of each declared problem
  FakeKernel original = right, candidate = right;

  // The reason of what is found; "": nothing.
  std::string run(Ground& ground) {
    return with_verifier(ground, [&](Verifier& verifier, const std::vector<Case>&) -> std::string {
      const auto found =
          plan.task == bundle::Task::reference ? verifier.verify_original() : verifier.verify_candidate();
      EXPECT_TRUE(found) << found.error().message();
      return found && *found ? (*found)->reason : "";
    });
  }

  template <class Function>
  std::invoke_result_t<Function, Verifier&, const std::vector<Case>&> with_verifier(Ground& ground, Function&& f) {
    FakeClock clock;
    FakeSubject reference(clock, sizes, original), second(clock, sizes, candidate);
    std::vector<Case> declared;
    for (unsigned problem = 0; problem < sizes.size(); ++problem)
      declared.push_back(make_case(spec, reference, problem, problem, {}, plan.memory_bytes).value());
    Verifier verifier({.kernel = spec,
                       .spec = spec,
                       .plan = plan,
                       .reference = reference,
                       .second = second,
                       .clock = clock,
                       .ground = ground},
                      declared);
    return f(verifier, declared);
  }
};

}  // namespace hone::judge
