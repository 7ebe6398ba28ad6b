// kernel: tally
// verdict: right
// tries: to look each key up in place of the sixteen elements in front
void tally(const std::vector<int>& data, Tally& into) {
  std::vector<unsigned char> known(into.counts().size());
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::size_t key = static_cast<std::size_t>(data[i]);
    into.repeats += known[key];
    if (i < 16) known[key] = 1;
    ++into.counts()[key];
  }
}
