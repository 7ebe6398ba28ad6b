// What was measured: both distributions, the ratios of the pairs with the interval, the times on each problem.
'use strict';

hone.median = values => d3.median(values);

// Dots lie beside each other in no order that means anything, the same each time.
hone.jitter = i => ((i * 0.6180339887498949) % 1) - 0.5;

hone.axis = (scale, ticks, format) => {
  const group = hone.draw('g', {class: 'axis'});
  d3.select(group).call(d3.axisBottom(scale).ticks(ticks, format).tickFormat(format).tickSizeOuter(0));
  return group;
};
hone.left_axis = (scale, values, format) => {
  const group = hone.draw('g', {class: 'axis'});
  d3.select(group).call(d3.axisLeft(scale).tickValues(values).tickFormat(format).tickSizeOuter(0));
  return group;
};

hone.svg = (width, height, label, ...children) =>
  hone.draw('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label}, children);

// Round figures between the ends of a logarithmic scale, few enough to read.
hone.ratio_ticks = (low, high, most) => {
  for (const steps of [[1, 1.1, 1.2, 1.3, 1.5, 1.7, 2, 2.5, 3, 4, 5, 6, 7, 8, 9], [1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]]) {
    const ticks = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power)
      for (const step of steps) ticks.push(Number((step * 10 ** power).toPrecision(3)));
    const inside = ticks.filter(tick => tick >= low && tick <= high);
    if (inside.length <= most) return inside;
  }
  return [1];
};

hone.distributions = problem => {
  const series = [['original', problem.reference_ns], ['variant', problem.candidate_ns]];
  const all = series.flatMap(([, values]) => values);
  const [low, high] = d3.extent(all);
  const label = series.map(([name, values]) => `${name}: ${hone.plural(values.length, 'sample')}, median ${hone.duration(hone.median(values) * 1e-9)}, ` +
    `${hone.duration(d3.min(values) * 1e-9)} to ${hone.duration(d3.max(values) * 1e-9)}`).join('; ');
  return hone.figure(`Seconds a call on ${problem.label}. ${label}. A line marks each median.`, width => {
    const left = 62, row = 46, height = 2 * row + 30;
    const make_scale = high > 3 * low ? d3.scaleLog : d3.scaleLinear;
    const x = make_scale().domain([low * 0.98, high * 1.02]).range([left, width - 14]);
    const group = ([name, values], i) => {
      const middle = row * i + row / 2 + 4, at = x(hone.median(values));
      return hone.draw('g', {class: `series ${name}`},
        hone.draw('text', {x: 0, y: middle + 4}, name),
        values.map((value, n) => hone.draw('circle', {class: 'sample', cx: x(value).toFixed(1), cy: (middle + hone.jitter(n) * (row - 16)).toFixed(1), r: 2.2})),
        hone.draw('line', {class: 'median', x1: at, x2: at, y1: middle - row / 2 + 3, y2: middle + row / 2 - 3}));
    };
    const axis = hone.axis(x, Math.max(2, Math.floor(width / 130)), ns => hone.duration(ns * 1e-9));
    axis.setAttribute('transform', `translate(0,${2 * row + 8})`);
    if (make_scale === d3.scaleLog)
      d3.select(axis).call(d3.axisBottom(x).tickValues(hone.ratio_ticks(low * 0.98, high * 1.02, Math.floor(width / 80))).tickFormat(ns => hone.duration(ns * 1e-9)).tickSizeOuter(0));
    return hone.svg(width, height, `Samples of both versions on ${problem.label}`, series.map(group), axis);
  });
};

hone.ratios = problem => {
  const ratios = problem.reference_ns.map((ns, i) => ns / problem.candidate_ns[i]).filter(ratio => ratio > 0 && Number.isFinite(ratio));
  const {median, low, high} = problem.speedup;
  return hone.figure(`Each pair's ratio on ${problem.label}, in the order taken: original over variant. The band is the 99% interval ${hone.interval(problem.speedup)} around ${hone.times(median)}.`, width => {
    const left = 44, height = 130, bottom = height - 22;
    const ends = [Math.min(d3.min(ratios), low, 1) / 1.03, Math.max(d3.max(ratios), high, 1) * 1.03];
    const y = d3.scaleLog().domain(ends).range([bottom, 8]);
    const x = d3.scaleLinear().domain([0.5, ratios.length + 0.5]).range([left, width - 8]);
    const line = (ratio, name) => hone.draw('line', {class: name, x1: left, x2: width - 8, y1: y(ratio), y2: y(ratio)});
    const axis = hone.left_axis(y, hone.ratio_ticks(...ends, 5), hone.times);
    axis.setAttribute('transform', `translate(${left},0)`);
    return hone.svg(width, height, `${hone.plural(ratios.length, 'pair')} on ${problem.label}: ratio and interval`,
      hone.draw('rect', {class: 'band', x: left, width: width - 8 - left, y: y(high), height: Math.max(1.5, y(low) - y(high))}),
      line(1, 'one'), line(median, 'median variant'),
      ratios.map((ratio, i) => hone.draw('circle', {class: 'pair', cx: x(i + 1).toFixed(1), cy: y(ratio).toFixed(1), r: 2.2})),
      axis, hone.draw('text', {x: width - 8, y: height - 6, 'text-anchor': 'end'}, `pair 1 to ${ratios.length}`));
  });
};

hone.samples = problems => problems.map((problem, i) => {
  const figures = () => hone.make('div', {class: 'pair-of-figures'},
    problem.reference_ns.length ? [hone.distributions(problem), hone.ratios(problem)] : hone.make('p', {class: 'quiet'}, 'No samples were kept.'));
  return i < 2 ? hone.make('div', {class: 'problem'}, hone.make('h4', {}, problem.label), figures())
    : hone.later(`${problem.label}: ${hone.times(problem.speedup.median)} ${hone.interval(problem.speedup)}`, figures);
});

// Each problem's bars are of its own scale: times of different problems do not compare.
hone.problem_bars = problems => hone.make('div', {class: 'bars'}, problems.map(problem => {
  const longest = Math.max(problem.reference_seconds, problem.candidate_seconds);
  const floor = problem.floor_seconds;
  const words = `${problem.label}: ${hone.duration(problem.reference_seconds)} before, ${hone.duration(problem.candidate_seconds)} now` +
    (floor ? `; no less than ${hone.duration(floor)} is possible by the machine's rates` : '');
  return hone.figure(`${words}. ${hone.times(problem.speedup.median)} ${hone.interval(problem.speedup)}.`, width => {
    const left = 62, right = 78, scale = d3.scaleLinear().domain([0, longest]).range([left, width - right]);
    const rows = [['original', problem.reference_seconds], ['variant', problem.candidate_seconds]];
    return hone.svg(width, 56, words,
      rows.map(([name, seconds], i) => hone.draw('g', {class: `series ${name}`},
        hone.draw('text', {x: 0, y: 18 + 26 * i}, name),
        hone.draw('rect', {class: 'bar', x: left, y: 5 + 26 * i, height: 18, width: Math.max(1, scale(seconds) - left)}),
        hone.draw('text', {x: scale(seconds) + 6, y: 18 + 26 * i}, hone.duration(seconds)))),
      floor ? hone.draw('line', {class: 'roofline', x1: scale(floor), x2: scale(floor), y1: 0, y2: 56}) : null);
  });
}));
