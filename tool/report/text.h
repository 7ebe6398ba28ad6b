// Figures and results as short text, the same wherever they are shown.
#pragma once

#include <string>
#include <vector>

#include "tool/model/verdict.h"
#include "tool/report/progress.h"

namespace hone::report {

std::string times(double ratio);                       // "3.12x"
std::string interval(const Speedup& speedup);          // "3.12x [3.08, 3.17]"
std::string duration(double seconds);                  // "0:42", "1:02:03"
std::string describe(const Verdict& verdict);          // "2.31x [2.29, 2.33]", "wrong: …", "does not compile: …"
std::string why_not_accepted(const Verdict& verdict);  // of a right one: "0.80x on n=515", "not faster"
std::string tolerance_used(const Verdict& verdict);    // of a right one: "its worst error takes 12% of the tolerance"

// What is said when a kernel's tuning begins, of a trial, and when it ends: a line each.
std::string begun(const Run& run);
std::string told(const TrialNews& news, unsigned trials);  // `trials`: the run's budget
std::string ended(const KernelResult& result);

// Rows of cells, the first row being the heading, in columns that line up; columns after the first are right-aligned
// where `numbers` says so.
std::string table(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& numbers);

// The commonest reasons for which candidates came to nothing, over all kernels, at most three: a line each; "" for
// none.
std::string commonest_failures(const std::vector<KernelResult>& results);

// The last word on a run: one row a kernel, then what there is to say about single ones, and why candidates failed.
std::string summary(const std::vector<KernelResult>& results);

}  // namespace hone::report
