// kernel: blur
// verdict: gate "bracket"
// wall: compile ""
// tries: to close the namespace around it and to define the kernel in another
}
namespace other {
void blur(const float*, float*, int, int) {}
