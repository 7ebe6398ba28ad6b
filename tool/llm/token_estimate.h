// How many tokens a text is, about, before a provider has counted: for budgets that must not be overrun.
//
// No tokenizer is at hand that fits every model, so this is an estimate on the high side for source code and English:
// a token per two bytes, and a few for the frame of each message.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tool/llm/client.h"
#include "tool/llm/settings/model_settings.h"

namespace hone::llm {

std::uint64_t estimate_tokens(std::string_view text);
std::uint64_t estimate_tokens(const std::vector<Message>& messages);

// What tokens cost: those from a provider's cache at their own price where one is known, else at the full one.
// `cache_writes`: tokens of the input that the provider keeps, for which some take more.
double cost_of(const Usage& usage, const std::optional<Price>& price, std::uint64_t cache_writes = 0);

// The most that a call may come to: its prompt and a reply as long as it may be. What a budget sets aside before
// sending.
Usage estimate_most(const Prompt& prompt, const ModelSettings& model);

}  // namespace hone::llm
