// Templates whose instantiation takes a test program's compile much of its time, and which nearly all need: JSON, and
// matchers of text. They are instantiated in instantiated_once.cpp, for all test programs (hone_test_pch()).
//
// Only what a test's own source would instantiate otherwise: the rooms under test have theirs. Never included by name;
// it is the end of the tests' precompiled header.
#pragma once

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#ifndef HONE_INSTANTIATED
#define HONE_INSTANTIATED extern
#endif

namespace hone::tests {
using JsonText = nlohmann::detail::iterator_input_adapter<std::string::const_iterator>;
using HasText = testing::PolymorphicMatcher<testing::internal::HasSubstrMatcher<std::string>>;
}  // namespace hone::tests

HONE_INSTANTIATED template class nlohmann::basic_json<>;
HONE_INSTANTIATED template class nlohmann::detail::serializer<nlohmann::json>;
HONE_INSTANTIATED template class nlohmann::detail::lexer<nlohmann::json, hone::tests::JsonText>;
HONE_INSTANTIATED template class nlohmann::detail::parser<nlohmann::json, hone::tests::JsonText>;
HONE_INSTANTIATED template class nlohmann::detail::json_sax_dom_parser<nlohmann::json>;
HONE_INSTANTIATED template class nlohmann::detail::json_sax_dom_callback_parser<nlohmann::json>;

namespace testing {
HONE_INSTANTIATED template class internal::MatcherBase<const std::string&>;
HONE_INSTANTIATED template class internal::HasSubstrMatcher<std::string>;
HONE_INSTANTIATED template class internal::AllOfMatcherImpl<const std::string&>;
HONE_INSTANTIATED template class internal::ElementsAreMatcherImpl<const std::vector<std::string>&>;
HONE_INSTANTIATED template AssertionResult internal::PredicateFormatterFromMatcher<hone::tests::HasText>::operator()(
    const char*, const std::string&) const;
HONE_INSTANTIATED template bool internal::MatchPrintAndExplain(const std::string&, const Matcher<const std::string&>&,
                                                               MatchResultListener*);
}  // namespace testing
