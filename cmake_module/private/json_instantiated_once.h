// JSON's templates, whose instantiation takes much of a compile, declared `extern` for all who include this. One source
// instantiates them (hone_json_instances()).
//
// It is the end of a precompiled header, and never included by name. It pays at -O0 alone: where the compiler optimizes, it
// wants the bodies to put them in.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

#ifndef HONE_INSTANTIATED
#define HONE_INSTANTIATED extern
#endif

namespace hone::instances {
using JsonText = nlohmann::detail::iterator_input_adapter<std::string::const_iterator>;
}

HONE_INSTANTIATED template class nlohmann::basic_json<>;
HONE_INSTANTIATED template class nlohmann::detail::serializer<nlohmann::json>;
HONE_INSTANTIATED template class nlohmann::detail::lexer<nlohmann::json, hone::instances::JsonText>;
HONE_INSTANTIATED template class nlohmann::detail::parser<nlohmann::json, hone::instances::JsonText>;
HONE_INSTANTIATED template class nlohmann::detail::json_sax_dom_parser<nlohmann::json>;
HONE_INSTANTIATED template class nlohmann::detail::json_sax_dom_callback_parser<nlohmann::json>;
