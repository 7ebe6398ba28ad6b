// kernel: blur
// verdict: gate "bracket"
// wall: compile ""
// tries: to close the namespace around it with a digraph
%>
namespace other <%
void blur(const float*, float*, int, int) <% %>
