#include "tool/compile/device/race_pauses.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace hone::compile {

// Up to 9 us: longer than a warp takes to load something and work on it. Warps of one block differ, and those of one
// number in different blocks, so that each of two comes first somewhere.
const char* const pause_definition = R"(
[[maybe_unused]] static __device__ void hone_pause(unsigned place) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  unsigned mixed = (thread / 32 + 1) * 0x9e3779b1u ^ (block + 1) * 0x85ebca6bu ^ (place + 1) * 0xc2b2ae35u;
  mixed = (mixed ^ mixed >> 15) * 0x2c1b3c6du;
  __nanosleep(((mixed ^ mixed >> 13) & 3) * 3000);
}
)";

namespace {

// Calls behind which a warp goes on with what others have done, and which have no value.
constexpr std::string_view waits[] = {"__syncthreads",
                                      "__syncwarp",
                                      "__barrier_sync",
                                      "sync",
                                      "wait",
                                      "arrive_and_wait",
                                      "consumer_wait",
                                      "barrier_wait",
                                      "__pipeline_wait_prior",
                                      "__threadfence",
                                      "__threadfence_block"};

// The same in PTX.
constexpr std::string_view waits_in_assembly[] = {"bar.", "barrier.", "wait_group", "wait_all", "membar."};

struct Token {
  std::size_t begin = 0, end = 0;
  bool word = false;
};

bool starts_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}

bool continues_word(char c) {
  return starts_word(c) || std::isdigit(static_cast<unsigned char>(c));
}

// Words, numbers and single characters; comments and literals are left out.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {
    while (at_ < text_.size()) step();
  }

  std::size_t size() const { return tokens_.size(); }
  const Token& operator[](std::size_t i) const { return tokens_[i]; }
  std::string_view text(std::size_t i) const {
    return i < tokens_.size() ? text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin) : std::string_view();
  }

  // The place behind the bracket that closes the one at `i`; size() where none does.
  std::size_t behind_brackets(std::size_t i) const {
    int open = 0;
    for (; i < size(); ++i) {
      open += text(i) == "(";
      open -= text(i) == ")";
      if (open == 0) return i + 1;
    }
    return i;
  }

 private:
  void step() {
    const std::string_view rest = text_.substr(at_);
    if (std::isspace(static_cast<unsigned char>(rest[0])))
      ++at_;
    else if (rest.starts_with("//"))
      skip_to("\n");
    else if (rest.starts_with("/*"))
      skip_to("*/", 2);
    else if (starts_word(rest[0]))
      word();
    else if (rest[0] == '"' || rest[0] == '\'')
      literal(rest[0]);
    else if (std::isdigit(static_cast<unsigned char>(rest[0])))
      number();
    else
      take(1, false);
  }

  void take(std::size_t length, bool word) {
    tokens_.push_back({at_, at_ + length, word});
    at_ += length;
  }

  void skip_to(std::string_view end, std::size_t from = 0) {
    const std::size_t found = text_.find(end, at_ + from);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }

  void word() {
    std::size_t end = at_;
    while (end < text_.size() && continues_word(text_[end])) ++end;
    const std::string_view spelling = text_.substr(at_, end - at_);
    if (end < text_.size() && text_[end] == '"' && spelling.ends_with('R'))
      raw_literal(end);
    else
      take(end - at_, true);
  }

  void raw_literal(std::size_t quote) {
    const std::size_t open = text_.find('(', quote);
    if (open == std::string_view::npos) return take(quote + 1 - at_, false);
    const std::string end = fmt::format("){}\"", text_.substr(quote + 1, open - quote - 1));
    at_ = open;
    skip_to(end);
  }

  void literal(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\') ++at_;
    at_ = std::min(at_ + 1, text_.size());
  }

  // Skips a number: the quote in 1'000 begins no literal.
  void number() {
    std::size_t end = at_;
    while (end < text_.size() && (continues_word(text_[end]) || text_[end] == '.' || text_[end] == '\'')) ++end;
    take(end - at_, false);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

// Where the body of the kernel begins whose __global__ is the token at `i`; 0: it is declared only.
std::size_t body_of_kernel(const Tokens& tokens, std::size_t i) {
  for (++i; i < tokens.size(); ++i) {
    if (tokens.text(i) == "(") i = tokens.behind_brackets(i) - 1;
    if (tokens.text(i) == "{") return tokens[i].end;
    if (tokens.text(i) == ";" || tokens.text(i) == "}") return 0;
  }
  return 0;
}

// Is the call of the token at `i` a statement of its own? Not a declaration, nor what a variable begins with.
bool is_statement(const Tokens& tokens, std::size_t i) {
  constexpr std::string_view ends[] = {";", "{", "}", ")", "else", "do"};
  if (i > 0 && tokens[i - 1].word && std::ranges::find(ends, tokens.text(i - 1)) == std::end(ends)) return false;
  for (; i > 0 && std::ranges::find(ends, tokens.text(i - 1)) == std::end(ends); --i)
    if (tokens.text(i - 1) == "=") return false;
  return true;
}

// The ';' of the asm statement at the token `i` if warps wait in it; 0: it is none, or none that waits.
std::size_t end_of_waiting_assembly(std::string_view source, const Tokens& tokens, std::size_t i) {
  if (tokens.text(i) != "asm" && tokens.text(i) != "__asm__" && tokens.text(i) != "__asm") return 0;
  std::size_t bracket = i + 1;
  while (bracket < tokens.size() && tokens[bracket].word) ++bracket;  // volatile
  if (tokens.text(bracket) != "(") return 0;
  const std::size_t behind = tokens.behind_brackets(bracket);
  if (tokens.text(behind) != ";") return 0;
  const std::string_view text = source.substr(tokens[bracket].begin, tokens[behind].begin - tokens[bracket].begin);
  const bool is_wait = std::ranges::any_of(
      waits_in_assembly, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
  return is_wait ? behind : 0;
}

// A source that grows as it is copied.
class PausedText {
 public:
  explicit PausedText(std::string_view source) : source_(source) {}

  void insert(std::size_t at, std::string_view text) {
    text_.append(source_.substr(copied_, at - copied_)).append(text);
    copied_ = at;
  }
  void pause(std::size_t at, const char* before, const char* behind) {
    insert(at, fmt::format("{}::hone_pause({}){}", before, place_++, behind));
  }
  std::string finish() && { return std::move(text_.append(source_.substr(copied_))); }

 private:
  const std::string_view source_;
  std::string text_;
  std::size_t copied_ = 0;
  unsigned place_ = 0;
};

}  // namespace

std::string with_pauses(std::string_view source) {
  const Tokens tokens(source);
  PausedText text(source);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens.text(i) == "__global__") {
      if (const std::size_t body = body_of_kernel(tokens, i); body > 0) text.pause(body, " ", ";");
    } else if (std::ranges::find(waits, tokens.text(i)) != std::end(waits) && tokens.text(i + 1) == "(") {
      const std::size_t behind = tokens.behind_brackets(i + 1);
      if (tokens.text(behind) == ";" && is_statement(tokens, i)) text.pause(tokens[behind].begin, ", ", "");
    } else if (const std::size_t end = end_of_waiting_assembly(source, tokens, i); end > 0) {
      text.insert(tokens[i].begin, "{ ");  // it is no expression, and may stand behind an if
      text.pause(tokens[end].end, " ", "; }");
      i = end;
    }
  }
  return std::move(text).finish();
}

}  // namespace hone::compile
