// Where the commas stand that part fields: neither quoted nor behind a backslash; then -1.
#pragma hone kernel in(s[0:n]) out(pos[0:n]) problem(n = 30000)
int csv_fields(const unsigned char* s, int* pos, int n) {
  int count = 0;
  bool quoted = false, escaped = false;
  for (int i = 0; i < n; ++i) {
    if (escaped) escaped = false;
    else if (s[i] == '\\') escaped = true;
    else if (s[i] == '"') quoted = !quoted;
    else if (s[i] == ',' && !quoted) pos[count++] = i;
  }
  for (int i = count; i < n; ++i) pos[i] = -1;
  return count;
}
