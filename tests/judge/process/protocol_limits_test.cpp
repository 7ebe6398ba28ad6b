#include "tool/judge/process/protocol_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/fake_subject.h"
#include "tool/runner/protocol.h"

namespace hone::judge {
namespace {
using testing::HasSubstr;

TEST(ProtocolLimits, AcceptOrdinaryKernel) {
  EXPECT_EQ(too_large(fake_spec(2)), "");
}

TEST(ProtocolLimits, RefuseTooManyParametersProblemsAndExpressions) {
  KernelSpec spec = fake_spec(1);
  spec.parameters.resize(runner::most_parameters + 1, spec.parameters.front());
  EXPECT_THAT(too_large(spec), HasSubstr("parameters; the judge takes"));
  EXPECT_THAT(too_large(fake_spec(runner::most_sets)), HasSubstr("problems; the judge takes"));
  spec = fake_spec(1);
  spec.expression_count = runner::most_expressions + 1;
  EXPECT_THAT(too_large(spec), HasSubstr("expressions; the judge takes"));
}

TEST(ProtocolLimits, RefuseStructPassedByValue) {
  KernelSpec spec = fake_spec(1);
  spec.parameters[2].element.fields.push_back(spec.parameters[2].element.fields.front());
  EXPECT_THAT(too_large(spec), HasSubstr("n is passed by value and is not a plain scalar"));
}

}  // namespace
}  // namespace hone::judge
