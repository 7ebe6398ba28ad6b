// The first screen: what was gained, and each kernel in a line.
'use strict';

hone.states = {tuned: 'tuned', kept: 'original kept', stale: 'stale', untuned: 'untuned', locked: 'not in this build'};
hone.state_of = kernel => kernel.search && kernel.search.running ? 'searching' : kernel.state === 'tuned' && !kernel.linked ? 'tuned, not linked' : hone.states[kernel.state] || kernel.state;

hone.card = (figure, label, note) => hone.make('div', {class: 'card'},
  hone.make('p', {class: 'figure'}, figure), hone.make('p', {}, label), note ? hone.make('p', {class: 'quiet'}, note) : null);

hone.summary = data => {
  const {summary} = data;
  const best = data.kernels.filter(kernel => kernel.linked && kernel.speedup).sort((a, b) => b.speedup.median - a.speedup.median)[0];
  const rest = [['kept', 'as they were: nothing faster was found'], ['stale', 'changed since they were tuned'], ['untuned', 'never tuned'], ['elsewhere', 'not in this build']]
    .filter(([name]) => summary[name]).map(([name, words]) => `${summary[name]} ${words}`);
  return hone.make('div', {class: 'cards'},
    hone.card(`${summary.linked} of ${summary.kernels}`, 'kernels run a faster variant', rest.join('; ')),
    summary.mean_speedup ? hone.card(hone.times(summary.mean_speedup), 'mean speedup of these', 'geometric mean of the medians') : null,
    best ? hone.card(hone.times(best.speedup.median), 'the most', best.name) : null,
    summary.search_seconds ? hone.card(hone.clock(summary.search_seconds), 'of search',
      summary.tokens ? `${hone.count(summary.tokens)} tokens${summary.cost ? `, ${hone.digits(summary.cost, 3)} of money` : ''}` : 'no language model was asked') : null,
    summary.running ? hone.card(summary.running, summary.running === 1 ? 'search is running' : 'searches are running') : null);
};

// All on one axis, so that kernels compare.
hone.interval_mark = (speedup, scale, width) => {
  const middle = 11;
  return hone.draw('svg', {width, height: 22, viewBox: `0 0 ${width} 22`, 'aria-hidden': 'true', class: 'mark'},
    hone.draw('line', {class: 'one', x1: scale(1), x2: scale(1), y1: 1, y2: 21}),
    speedup ? [hone.draw('line', {class: speedup.low > 1 ? 'gain' : 'even', x1: scale(1), x2: scale(speedup.median), y1: middle, y2: middle}),
      hone.draw('line', {class: 'range', x1: scale(speedup.low), x2: Math.max(scale(speedup.high), scale(speedup.low) + 2), y1: middle, y2: middle}),
      hone.draw('circle', {class: 'dot', cx: scale(speedup.median), cy: middle, r: 4})] : null);
};

hone.orders = {
  'in the order of the source': null,
  'fastest first': (a, b) => (b.speedup ? b.speedup.median : 0) - (a.speedup ? a.speedup.median : 0),
  'by name': (a, b) => a.name.localeCompare(b.name),
  'by state': (a, b) => hone.state_of(a).localeCompare(hone.state_of(b)),
};

hone.kernel_rows = (kernels, scale, width) => kernels.map(kernel => hone.make('tr', {class: 'kernel'},
  hone.make('th', {scope: 'row'}, hone.make('a', {href: `#${kernel.id}`, class: 'open'}, kernel.name), hone.make('span', {class: 'quiet place'}, kernel.file + (kernel.line ? `:${kernel.line}` : ''))),
  hone.make('td', {class: 'plot'}, hone.interval_mark(kernel.speedup, scale, width)),
  hone.make('td', {class: 'speedup'}, kernel.speedup ? [hone.make('b', {}, hone.times(kernel.speedup.median)), ' ', hone.make('span', {class: 'quiet'}, hone.interval(kernel.speedup))] : hone.make('span', {class: 'quiet'}, '–')),
  hone.make('td', {}, hone.make('span', {class: `state ${kernel.state}${kernel.state === 'tuned' && !kernel.linked ? ' held' : ''}`}, hone.state_of(kernel))),
  hone.make('td', {class: 'why'}, kernel.why)));

hone.overview = data => {
  const width = 170;
  const figures = data.kernels.filter(kernel => kernel.speedup).map(kernel => kernel.speedup);
  const scale = d3.scaleLog().clamp(true).domain([Math.min(0.9, ...figures.map(one => one.low)), Math.max(1.5, ...figures.map(one => one.high))]).range([6, width - 6]);
  const body = hone.make('tbody', {});
  const found = hone.make('p', {class: 'quiet', role: 'status'});
  const filter = hone.make('input', {type: 'search', id: 'filter', autocomplete: 'off', placeholder: 'name, file or state', oninput: () => show()});
  const order = hone.make('select', {id: 'order', onchange: () => show()}, Object.keys(hone.orders).map(name => hone.make('option', {}, name)));
  filter.value = hone.kept.filter;
  order.value = hone.kept.order;
  const show = () => {
    Object.assign(hone.kept, {filter: filter.value, order: order.value});
    const words = filter.value.toLowerCase();
    const shown = data.kernels.filter(kernel => `${kernel.name} ${kernel.file} ${hone.state_of(kernel)}`.toLowerCase().includes(words));
    if (hone.orders[order.value]) shown.sort(hone.orders[order.value]);
    body.replaceChildren(...hone.kernel_rows(shown, scale, width));
    found.textContent = shown.length === data.kernels.length ? '' : `${shown.length} of ${hone.plural(data.kernels.length, 'kernel')}`;
  };
  show();
  return [
    hone.summary(data),
    hone.notes(data.missing),
    data.kernels.length ? [
      hone.make('div', {class: 'tools'}, hone.make('label', {for: 'filter'}, 'Find '), filter, hone.make('label', {for: 'order'}, 'Sort '), order, found),
      hone.make('table', {class: 'kernels'}, hone.make('caption', {}, 'Kernels. Speedup is the original\'s time over the variant\'s, with its 99% interval.'),
        hone.make('thead', {}, hone.make('tr', {}, ['Kernel', figures.length ? `${scale.domain().map(hone.times).join(' to ')}` : 'Interval', 'Speedup', 'State', 'What is linked, and why'].map(head => hone.make('th', {scope: 'col'}, head)))), body)]
      : hone.make('p', {class: 'nothing'}, 'There is no kernel to show yet. Annotate a function with #pragma hone kernel, build, and build the target hone-tune.')];
};

hone.notes = lines => lines.length ? hone.make('ul', {class: 'notes', 'aria-label': 'What is not here'}, lines.map(line => hone.make('li', {}, line))) : null;
