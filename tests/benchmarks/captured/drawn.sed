/in(x\[0:rows\*columns\])/s/$/ problem(rows=1024, columns=256, limit=0.99f)/
/in(x\[0:n\]) out(y\[0:n\])/s/$/ problem(n=262144)/
/in(words\[0:n\])/s/$/ problem(n=262144, m=32768) init(words: index(0, m), counts: index(0, 1000))/
