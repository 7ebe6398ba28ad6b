// One kernel: code, evidence, search, lineage, cost, machine.
'use strict';

hone.tried_words = {sizes: 'Sizes', values: 'What arrays held', checks: 'Checks', proof: 'Proof', 'not tried': 'Not tried'};

hone.judged_section = (kernel, verdict) => {
  const tried = Object.entries(kernel.tried);
  if (!tried.length) return null;
  return hone.section('What the judge tried',
    hone.make('p', {}, 'The variant was compared with the original on all of this, and had to agree each time.'),
    hone.facts([...tried.map(([label, text]) => [Object.hasOwn(hone.tried_words, label) ? hone.tried_words[label] : label, text]),
      ['Worst error', verdict && verdict.tolerance_used !== null ? (verdict.tolerance_used ? `${hone.digits(100 * verdict.tolerance_used, 2)}% of the tolerance` : 'none: the answers are the same') : null]]));
};

hone.spent_section = kernel => {
  const {spent, record} = kernel;
  if (!spent && !record) return null;
  const trials = record && record.trials;
  return hone.section('What it cost', hone.facts([
    ['Search', record ? hone.clock(record.seconds) : null],
    ['Trials', trials ? `${trials.total}: ${trials.compiled} compiled, ${trials.right} right, ${trials.faster} faster` : null],
    ['Calls of a language model', spent ? `${hone.count(spent.calls)}${spent.failed ? `, of which ${spent.failed} failed` : ''}` : 'none, or their recording is not here'],
    ['Tokens', spent ? `${hone.count(spent.input_tokens)} in${spent.cached_tokens ? ` (${hone.count(spent.cached_tokens)} from the provider's cache)` : ''}, ${hone.count(spent.output_tokens)} out${spent.estimated ? ', in part estimated' : ''}` : null],
    ['Money', spent ? (spent.cost ? `${hone.digits(spent.cost, 4)}, in the currency of the prices in hone.json` : 'no price is set in hone.json') : null]]));
};

hone.machine_section = (kernel, verdict) => {
  const {record} = kernel;
  const held = kernel.held_on;
  return hone.section('Machine and build', hone.facts([
    ['Measured on', record ? [record.device, kernel.measured_on].filter(text => text).join(', ') : kernel.measured_on],
    ['Kind of machine', verdict ? verdict.machine : null],
    ['Compiler', record ? record.compiler : null],
    ['Compiled with', kernel.compiled_with],
    ['Target', kernel.target],
    ['CMake target', kernel.build_target],
    ['Executor', record ? record.executor : null],
    ['Clock', verdict && verdict.clock ? `${verdict.clock}${verdict.noisy ? '; the machine was busy while it was measured' : ''}` : null],
    ['Sandbox', verdict ? verdict.sandbox : null],
    ['Evidence in the lock file', kernel.evidence],
    ['Request key', hone.make('code', {}, kernel.key)],
    ['Variant', kernel.variant_digest ? hone.make('code', {}, kernel.variant_digest) : null]]),
  held.length ? hone.table('How this variant does on other kinds of machines', ['machine', 'standing', 'speedup'],
    held.map(one => [one.machine + (one.tuned ? ' (tuned there)' : ''), one.standing, one.speedup ? `${hone.times(one.speedup.median)} ${hone.interval(one.speedup)}` : '–'])) : null);
};

hone.found_words = record => {
  const by = record.model ? `${record.proposer} (model ${record.model})` : record.proposer;
  return hone.facts([['Change', record.name], ['Thought', record.thought], ['Found by', `${by}, strategy ${record.strategy}, seed ${record.seed}`], ['Signed by', record.signed_by]]);
};

hone.code_section = kernel => {
  if (kernel.original === null && kernel.variant === null) return null;
  const title = kernel.variant === null ? 'Code' : kernel.original === null ? 'The variant\'s code' : 'Original and variant';
  return hone.section(title, hone.code(kernel.original, kernel.variant, ['original', 'variant']));
};

hone.kernel_view = (kernel, data) => {
  const at = data.kernels.indexOf(kernel), before = data.kernels[at - 1], after = data.kernels[at + 1];
  const verdict = kernel.record && kernel.record.verdict;
  const problems = verdict ? verdict.problems : [];
  return [
    hone.make('nav', {class: 'path', 'aria-label': 'Kernels'}, hone.make('a', {href: '#'}, 'All kernels'),
      before ? hone.make('a', {href: `#${before.id}`}, `Before: ${before.name}`) : null, after ? hone.make('a', {href: `#${after.id}`}, `Next: ${after.name}`) : null),
    hone.make('h2', {tabindex: -1, id: 'kernel-name'}, kernel.name),
    hone.make('p', {class: 'headline'}, kernel.speedup ? [hone.make('b', {class: 'big'}, hone.times(kernel.speedup.median)), ` ${hone.interval(kernel.speedup)} `] : null,
      hone.make('span', {class: `state ${kernel.state}`}, hone.state_of(kernel))),
    hone.make('p', {}, `${kernel.why[0].toUpperCase()}${kernel.why.slice(1)}.`),
    hone.make('p', {class: 'quiet place'}, kernel.signature || null, kernel.signature ? hone.make('br') : null, kernel.file + (kernel.line ? `:${kernel.line}` : '')),
    kernel.record && kernel.variant_digest ? hone.found_words(kernel.record) : null,
    hone.notes(kernel.missing.map(line => `Not here: ${line}.`)),
    hone.code_section(kernel),
    problems.length ? [hone.section('Times', hone.problem_bars(problems)), hone.section('Samples', hone.samples(problems))] : null,
    kernel.search ? hone.section('The search', hone.search_section(kernel.search)) : null,
    kernel.record && kernel.record.lineage.length ? hone.section('Where it comes from', hone.lineage_section(kernel.record.lineage, kernel)) : null,
    hone.judged_section(kernel, verdict), hone.spent_section(kernel), hone.machine_section(kernel, verdict)];
};
