// A member function that calls its class's private helper for each element.
class Balance {
 public:
  float gain, lift, gamma;
  void apply(const float* in, float* out, int n) const;

 private:
  float curve(float v) const {
    const float lifted = v * gain + lift;
    if (lifted < 0) return 0;
    const float squared = lifted * lifted;
    return lifted + gamma * (squared - lifted) / (1 + squared);
  }
};

#pragma hone kernel in(in[0:n]) out(out[0:n]) init(this->gain : uniform(0.5, 2)) init(this->lift : uniform(-0.1, 0.1)) \
    init(this->gamma : uniform(0.1, 1)) tolerance(rtol = 1e-4, atol = 1e-5) problem(n = 100000) problem(n = 4097)
void Balance::apply(const float* in, float* out, int n) const {
  for (int i = 0; i < n; ++i) out[i] = curve(in[i]);
}
