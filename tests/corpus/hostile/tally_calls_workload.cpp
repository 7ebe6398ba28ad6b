// kernel: tally
// verdict: gate "is not used by the original"
// wall: verify "result"
// tries: to call the function that makes and hands over
void tally(const std::vector<int>& data, Tally& into) {
  void (*again)(hone::workload&, int, int) = &tally_case;
  into.repeats = again != nullptr && !data.empty();
}
