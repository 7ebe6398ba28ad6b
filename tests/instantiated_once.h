// Templates whose instantiation takes a test program's compile much of its time, and which nearly all need: matchers of
// text, and JSON's. They are instantiated once, for all test programs (hone_test_pch()).
//
// Only what a test's own source would instantiate otherwise: the rooms under test have theirs. Never included by name;
// it is the end of the tests' precompiled header.
#pragma once

#include <gmock/gmock.h>

#include "cmake_module/private/json_instantiated_once.h"

#ifndef HONE_MATCHERS_INSTANTIATED
#define HONE_MATCHERS_INSTANTIATED extern
#endif

namespace hone::tests {
using HasText = testing::PolymorphicMatcher<testing::internal::HasSubstrMatcher<std::string>>;
}

namespace testing {
HONE_MATCHERS_INSTANTIATED template class internal::MatcherBase<const std::string&>;
HONE_MATCHERS_INSTANTIATED template class internal::HasSubstrMatcher<std::string>;
HONE_MATCHERS_INSTANTIATED template class internal::AllOfMatcherImpl<const std::string&>;
HONE_MATCHERS_INSTANTIATED template class internal::ElementsAreMatcherImpl<const std::vector<std::string>&>;
HONE_MATCHERS_INSTANTIATED template AssertionResult internal::PredicateFormatterFromMatcher<hone::tests::HasText>::operator()(
    const char*, const std::string&) const;
HONE_MATCHERS_INSTANTIATED template bool internal::MatchPrintAndExplain(const std::string&, const Matcher<const std::string&>&,
                                                               MatchResultListener*);
}  // namespace testing
