// A kernel and three trials, as the tests of prompts want them.
#pragma once

#include <string>
#include <vector>

#include "tool/search/brief.h"
#include "tool/search/search.h"

namespace hone::search {

inline TaskFacts blur_facts() {
  TaskFacts facts;
  facts.kernel = facts.function = "blur";
  facts.signature = "void app::blur(const float *, float *, int, int)";
  facts.scope = "namespace app";
  facts.definition =
      "void blur(const float* src, float* dst, int w, int h) {\n"
      "  for (int y = 1; y < h - 1; ++y)\n"
      "    for (int x = 1; x < w - 1; ++x)\n"
      "      if (w > 2) dst[y * w + x] = (src[y * w + x - 1] + src[y * w + x + 1] + kBias) / 3;\n"
      "}\n";
  facts.closure = "constexpr float kBias = 0.5f;";
  facts.annotation = "- src: read, w*h floats\n- dst: written, w*h floats";
  facts.tolerance = "|got - expected| <= 1e-05 * scale.";
  facts.language = "c++17";
  facts.compiler = "g++ 12.2.0";
  facts.flags = "-O3";
  facts.target = "x86_64 avx2 fma";
  facts.hardware = {"Example CPU", "", 1, 256, 16, {{1, 32768, 64, 1}, {3, 32u << 20, 64, 8}}, 12e9, 5e10};
  facts.problems = {{"w=1920 h=1080", 1, 0.00735, 16.6e6, 12e9, 18.7e6, 0.00138}, {"w=64 h=64", 3, 2e-6}};
  facts.profile = "missed: not vectorized: control flow in loop";
  return facts;
}

inline Trial right_trial(unsigned number, const std::string& name, double speedup) {
  Trial trial;
  trial.number = number;
  trial.candidate.name = name;
  trial.candidate.source = "void blur() { /* code of " + name + " */ }\n";
  trial.candidate.thought = "thought of " + name;
  trial.verdict.stage = Stage::done;
  trial.verdict.right = true;
  trial.verdict.measurement.speedup = {speedup, speedup * 0.99, speedup * 1.01};
  return trial;
}

inline Trial failed_trial(unsigned number, const std::string& name) {
  Trial trial = right_trial(number, name, 1);
  trial.verdict = {};
  trial.verdict.stage = Stage::verify;
  trial.verdict.reason = "dst[17] is wrong on w=1 h=7";
  trial.verdict.detail = "got 0.5, expected 0.25";
  return trial;
}

// 0 the original, 1 slow, 2 fast, 3 wrong.
inline std::vector<Trial> four_trials() {
  return {Trial{}, right_trial(1, "rows", 1.5), right_trial(2, "tiles", 3), failed_trial(3, "shifts")};
}

}  // namespace hone::search
