// How a variant was found: each trial of the search, and the winner's ancestors.
'use strict';

hone.stages = {gate: 'refused before it was compiled', compile: 'did not compile', verify: 'was wrong', time: 'was right and not faster', done: 'was judged to the end'};

hone.outcome = trial => trial.faster && trial.right ? 'faster' : trial.right ? 'not faster' : trial.stage === 'verify' ? 'wrong' : trial.stage === 'compile' ? 'does not compile' : 'refused';

// With the code that `hone explain` takes.
hone.reason_of = judged => judged.reason && judged.code ? `${judged.reason} [hone-${judged.code}]` : judged.reason;

hone.trial_in_words = trial => `Trial ${trial.number}, ${trial.name || 'without a name'}` + (trial.operator ? `, by ${trial.operator}` : '') +
  `: ended at ${trial.stage}. ${trial.speedup ? `${hone.times(trial.speedup.median)} ${hone.interval(trial.speedup)}. ` : ''}` +
  (trial.right && trial.faster ? 'Right and faster.' : `Not accepted: ${hone.reason_of(trial) || hone.stages[trial.stage]}.`);

hone.operators_of = trials => [...new Set(trials.map(trial => trial.operator || 'not recorded'))];

// Accepted ones are discs, right ones rings, failures crosses: color says the operator and nothing else.
hone.trial_mark = (trial, x, y, color) => {
  const name = `trial op${color % 8} ${hone.outcome(trial).replace(/ /g, '-')}`;
  const shape = trial.right ? hone.draw('circle', {r: trial.faster ? 5 : 4.5})
    : hone.draw('path', {d: 'M-4,-4L4,4M-4,4L4,-4'});
  return hone.draw('g', {class: name, transform: `translate(${x.toFixed(1)},${y.toFixed(1)})`, role: 'button', tabindex: -1, 'aria-label': hone.trial_in_words(trial)},
    hone.draw('circle', {class: 'reach', r: 11}), shape);
};

hone.search_plot = (trials, operators, readout) => hone.figure(
  'Each mark is a candidate: a disc is right and faster, a ring is right, a cross failed at the stage whose lane it is in. The line is the best so far. Arrow keys go from one to the next.',
  width => {
    const left = 62, right = 12, lanes = ['gate', 'compile', 'verify'].filter(stage => trials.some(trial => !trial.speedup && trial.stage === stage));
    const timed = trials.filter(trial => trial.speedup), tall = 190, lane = 24;
    const height = tall + lanes.length * lane + 30;
    const ends = [Math.min(0.9, d3.min(timed, trial => trial.speedup.median) || 1) / 1.05, Math.max(1.2, d3.max(timed, trial => trial.speedup.median) || 1) * 1.08];
    const y = d3.scaleLog().domain(ends).range([tall - 6, 10]);
    const x = d3.scaleLinear().domain([0.3, trials.length + 0.7]).range([left, width - right]);
    const lane_y = trial => tall + Math.max(0, lanes.indexOf(trial.stage)) * lane + lane / 2;
    let best = 1;
    const steps = [[left, y(1)]];
    for (const trial of trials) {
      if (trial.right && trial.faster && trial.speedup) best = Math.max(best, trial.speedup.median);
      steps.push([x(trial.number), y(best)]);
    }
    steps.push([width - right, y(best)]);
    const marks = trials.map(trial => hone.trial_mark(trial, x(trial.number), trial.speedup ? y(trial.speedup.median) : lane_y(trial), operators.indexOf(trial.operator || 'not recorded')));
    const axis = hone.left_axis(y, hone.ratio_ticks(...ends, 6), hone.times);
    axis.setAttribute('transform', `translate(${left},0)`);
    const below = hone.axis(x, Math.min(trials.length, Math.floor(width / 70)), d3.format('d'));
    below.setAttribute('transform', `translate(0,${tall + lanes.length * lane + 4})`);
    const svg = hone.draw('svg', {width, height, viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': `${hone.plural(trials.length, 'trial')} of the search`},
      lanes.map((name, i) => [hone.draw('rect', {class: 'lane', x: left, y: tall + i * lane + 1, width: width - left - right, height: lane - 2}),
        hone.draw('text', {x: 0, y: tall + i * lane + lane / 2 + 4}, name)]),
      hone.draw('line', {class: 'one', x1: left, x2: width - right, y1: y(1), y2: y(1)}),
      hone.draw('path', {class: 'best', d: d3.line().curve(d3.curveStepAfter)(steps)}),
      axis, below, marks);
    hone.roving(marks, i => { readout.textContent = hone.trial_in_words(trials[i]); });
    return svg;
  });

// One stop of the Tab key for all of them; arrows, Home and End go on from there.
hone.roving = (elements, show) => {
  if (!elements.length) return;
  elements[0].setAttribute('tabindex', 0);
  const go = i => {
    elements.forEach((element, n) => element.setAttribute('tabindex', n === i ? 0 : -1));
    elements[i].focus();
  };
  elements.forEach((element, i) => {
    element.addEventListener('focus', () => show(i));
    element.addEventListener('pointerenter', () => show(i));
    element.addEventListener('click', () => go(i));
    element.addEventListener('keydown', event => {
      const to = {ArrowRight: i + 1, ArrowDown: i + 1, ArrowLeft: i - 1, ArrowUp: i - 1, Home: 0, End: elements.length - 1}[event.key];
      if (to === undefined) return;
      event.preventDefault();
      if (elements[to]) go(to);
    });
  });
};

hone.search_section = search => {
  const trials = search.trials;
  if (!trials.length) return [hone.make('p', {}, 'No trial has been judged yet.')];
  const operators = hone.operators_of(trials);
  const readout = hone.make('p', {class: 'readout', 'aria-live': 'polite'}, 'Point at a mark, or move to it, to read what it is.');
  const counts = {};
  for (const trial of trials) counts[hone.outcome(trial)] = (counts[hone.outcome(trial)] || 0) + 1;
  return [
    hone.make('p', {}, `${hone.plural(trials.length, 'trial')} (strategy ${search.strategy || 'unknown'}, seed ${search.seed}): `,
      Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`).join(', '), '.'),
    hone.search_plot(trials, operators, readout),
    hone.make('ul', {class: 'legend', 'aria-label': 'Operators'}, operators.map((name, i) => hone.make('li', {}, hone.make('span', {class: `swatch op${i % 8}`, 'aria-hidden': 'true'}), name))),
    readout,
    hone.later('All trials as a table', () => hone.table('Trials in the order of their verdicts', ['trial', 'candidate', 'operator', 'ended at', 'speedup', 'what was said'],
      trials.map(trial => [trial.number, trial.name, trial.operator || '–', trial.stage, trial.speedup ? `${hone.times(trial.speedup.median)} ${hone.interval(trial.speedup)}` : '–', hone.reason_of(trial)])))];
};

// Ancestors in rows, each below all of its parents; the original is row 0.
hone.generations = lineage => {
  const known = new Map(lineage.map(one => [one.trial, one]));
  const depths = new Map();
  const depth = (trial, above) => {
    if (!known.has(trial) || above.has(trial)) return 0;
    if (depths.has(trial)) return depths.get(trial);
    const found = 1 + Math.max(0, ...known.get(trial).parents.map(parent => depth(parent, new Set(above).add(trial))));
    depths.set(trial, found);
    return found;
  };
  const rows = [[{trial: 0, name: 'original', operator: '', parents: [], original: true}]];
  for (const one of lineage) (rows[depth(one.trial, new Set())] ||= []).push(one);
  return rows.filter(row => row);
};

hone.ancestor_panel = (one, kernel, winner) => {
  if (one.original) return [hone.make('h4', {}, 'The original'), hone.listing(kernel.original, 'original')];
  const verdict = one.verdict;
  return [
    hone.make('h4', {}, `Trial ${one.trial}: ${one.name}`),
    hone.facts([['Made by', `${one.operator || 'an unknown operator'}${one.parents.length ? ` of ${one.parents.map(parent => parent ? `trial ${parent}` : 'the original').join(', ')}` : ''}`],
      ['Speedup in the search', `${hone.times(one.speedup.median)} ${hone.interval(one.speedup)}`],
      ['Verdict', verdict ? `${verdict.right ? 'right' : 'not right'}, ${verdict.faster ? 'faster' : 'not faster'}; ended at ${verdict.stage}` : null],
      ['The judge said', verdict ? hone.reason_of(verdict) : null],
      ['In detail', verdict && verdict.detail ? hone.make('pre', {}, verdict.detail) : null]]),
    one.code === null ? hone.make('p', {class: 'quiet'}, 'Its code is not here: only the journal in the build folder that tuned has it.')
      : hone.code(kernel.original, one.code, ['original', winner ? 'variant' : `trial ${one.trial}`])];
};

hone.lineage_section = (lineage, kernel) => {
  const rows = hone.generations(lineage), last = lineage[lineage.length - 1];
  const panel = hone.make('div', {class: 'panel', 'aria-live': 'polite'}, hone.make('p', {class: 'quiet'}, 'Choose a version to see its code and its verdict.'));
  const graph = hone.make('div', {class: 'lineage'}), box = {width: 190, height: 58, gap: 16, down: 38};
  const across = Math.max(...rows.map(row => row.length));
  const width = across * (box.width + box.gap) - box.gap, height = rows.length * (box.height + box.down) - box.down;
  const places = new Map(), buttons = [];
  rows.forEach((row, level) => row.forEach((one, i) => {
    const left = (width - row.length * (box.width + box.gap) + box.gap) / 2 + i * (box.width + box.gap), top = level * (box.height + box.down);
    places.set(one.trial, [left, top]);
    const winner = one === last;
    const button = hone.make('button', {type: 'button', class: winner ? 'ancestor winner' : 'ancestor', 'aria-pressed': 'false',
      onclick: () => {
        buttons.forEach(other => other.setAttribute('aria-pressed', String(other === button)));
        panel.replaceChildren(...hone.ancestor_panel(one, kernel, winner));
      }},
      hone.make('b', {}, one.original ? 'original' : `${winner ? 'winner, ' : ''}trial ${one.trial}${one.speedup ? `: ${hone.times(one.speedup.median)}` : ''}`),
      hone.make('span', {}, one.original ? 'what it is compared with' : one.name));
    button.style.left = `${left}px`;
    button.style.top = `${top}px`;
    buttons.push(button);
  }));
  const link = d3.linkVertical();
  const edges = lineage.flatMap(one => (one.parents.length ? one.parents : [0]).filter(parent => places.has(parent) && parent !== one.trial).map(parent => {
    const [from, to] = [places.get(parent), places.get(one.trial)];
    return hone.draw('path', {class: 'edge', d: link({source: [from[0] + box.width / 2, from[1] + box.height], target: [to[0] + box.width / 2, to[1]]})});
  }));
  graph.style.width = `${width}px`;
  graph.style.height = `${height}px`;
  graph.append(hone.draw('svg', {width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true'}, edges), ...buttons);
  return [hone.make('div', {class: 'scrolls', tabindex: 0, role: 'region', 'aria-label': 'Lineage of the variant'}, graph), panel];
};
