// Two versions of a function side by side, with syntax colors and what differs marked.
'use strict';

// hljs.highlight() gives markup. It is taken apart in a document of its own, and only its classes and texts are used.
hljs.configure({hideUpgradeWarningAcceptNoSupportOrSecurityUpdates: true});

hone.colored = text => {
  const lines = [[]];
  const add = (piece, name) => piece.split('\n').forEach((part, i) => {
    if (i) lines.push([]);
    if (part) lines[lines.length - 1].push({text: part, name});
  });
  const walk = (node, name) => {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) add(child.data, name);
      else walk(child, (child.className || '').split(' ')[0] || name);
    }
  };
  if (text.length > 400000) add(text, '');
  else walk(new DOMParser().parseFromString(`<pre>\n${hljs.highlight('cpp', text, true).value}</pre>`, 'text/html').body.firstChild, '');
  return lines;
};

// The characters of both lines that the other does not have, as [from, to).
hone.changed_words = (before, after) => {
  const marks = [[], []];
  let at = [0, 0], kept = 0;
  if (before.length + after.length > 800) return marks;
  for (const part of Diff.diffWordsWithSpace(before, after)) {
    const sides = part.removed ? [0] : part.added ? [1] : [0, 1];
    if (sides.length === 2) kept += part.value.trim().length;
    for (const side of sides) {
      if (sides.length === 1) marks[side].push([at[side], at[side] + part.value.length]);
      at[side] += part.value.length;
    }
  }
  return kept * 3 < Math.min(before.trim().length, after.trim().length) ? [[], []] : marks;
};

hone.colored_line = (pieces, marks) => {
  const parts = [];
  let at = 0;
  for (const {text, name} of pieces) {
    let from = 0;
    while (from < text.length) {
      const mark = marks.find(([start, end]) => start <= at + from && at + from < end);
      const next = mark ? mark[1] : Math.min(...marks.map(([start]) => start).filter(start => start > at + from), Infinity);
      const to = Math.min(text.length, next - at);
      parts.push(hone.make(mark ? 'mark' : 'span', {class: name || null}, text.slice(from, to)));
      from = to;
    }
    at += text.length;
  }
  return parts;
};

hone.lines_of = text => (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');

// Rows of [line of the first or null, line of the second or null, is it the same], counted from 0. What is indented
// otherwise is the same: variants put loops around what stays.
hone.aligned = (before, after) => {
  const rows = [];
  const first = hone.lines_of(before), second = hone.lines_of(after);
  if (first.length + second.length > 8000) { // a comparison would take too long
    for (let i = 0; i < Math.max(first.length, second.length); ++i)
      rows.push([i < first.length ? i : null, i < second.length ? i : null, first[i] === second[i]]);
    return rows;
  }
  let a = 0, b = 0, removed = [];
  const flush = added => {
    for (let i = 0; i < Math.max(removed.length, added.length); ++i)
      rows.push([i < removed.length ? removed[i] : null, i < added.length ? added[i] : null, false]);
    removed = [];
  };
  for (const part of Diff.diffArrays(first, second, {comparator: (one, other) => one.trim() === other.trim()})) {
    if (part.removed) {
      flush([]);
      removed = part.value.map(() => a++);
    } else if (part.added) {
      flush(part.value.map(() => b++));
    } else {
      flush([]);
      part.value.forEach(() => rows.push([a++, b++, true]));
    }
  }
  flush([]);
  return rows;
};

hone.columns = sides => hone.make('colgroup', {}, Array.from({length: sides}, () => [hone.make('col', {class: 'numbers'}), hone.make('col')]));

// One text is enough: then there is nothing to compare.
hone.code = (before, after, names) => {
  if (before === null || after === null) return hone.listing(before === null ? after : before, before === null ? names[1] : names[0]);
  const texts = [hone.lines_of(before), hone.lines_of(after)], colors = [hone.colored(before), hone.colored(after)];
  const row = ([a, b, same]) => {
    const marks = !same && a !== null && b !== null ? hone.changed_words(texts[0][a], texts[1][b]) : [[], []];
    const cells = (side, line) => [
      hone.make('td', {class: 'number', 'data-line': line === null ? null : line + 1}),
      hone.make('td', {class: `code ${line === null ? 'none' : same ? 'same' : side ? 'added' : 'removed'}`},
        line === null ? null : hone.colored_line(colors[side][line] || [], marks[side]))];
    return hone.make('tr', {class: same ? 'same' : 'differs'}, cells(0, a), cells(1, b));
  };
  const rows = hone.aligned(before, after);
  const body = hone.make('tbody', {});
  const margin = 3, fewest = 10;
  for (let at = 0; at < rows.length;) {
    let end = at;
    while (end < rows.length && rows[end][2]) ++end;
    const hidden = rows.slice(at + margin, end - margin);
    if (end - at >= fewest) {
      body.append(...rows.slice(at, at + margin).map(row));
      const show = hone.make('tr', {class: 'folded'}, hone.make('td', {colspan: 4},
        hone.make('button', {type: 'button', onclick: () => show.replaceWith(...hidden.map(row))},
          `Show ${hone.plural(hidden.length, 'unchanged line')}`)));
      body.append(show, ...rows.slice(end - margin, end).map(row));
    } else {
      body.append(...rows.slice(at, end).map(row));
    }
    for (at = end; at < rows.length && !rows[at][2]; ++at) body.append(row(rows[at]));
  }
  const changed = rows.filter(([, , same]) => !same).length;
  return hone.make('div', {},
    hone.make('p', {class: 'quiet'}, `${names[0]}: ${hone.plural(texts[0].length, 'line')}. ${names[1]}: ${hone.plural(texts[1].length, 'line')}. `,
      changed ? `${hone.plural(changed, 'row')} differ${changed === 1 ? 's' : ''} by more than indentation; − and + mark them.` : 'The two are the same.'),
    hone.make('div', {class: 'scrolls code-box', tabindex: 0, role: 'region', 'aria-label': `${names[0]} and ${names[1]}, side by side`},
      hone.make('table', {class: 'diff'}, hone.columns(2),
        hone.make('thead', {}, hone.make('tr', {}, names.map(name => hone.make('th', {scope: 'col', colspan: 2}, name)))), body)));
};

hone.listing = (text, name) => {
  if (text === null) return hone.make('p', {class: 'quiet'}, 'The code is not here.');
  return hone.make('div', {class: 'scrolls code-box', tabindex: 0, role: 'region', 'aria-label': name},
    hone.make('table', {class: 'diff single'}, hone.columns(1), hone.make('thead', {}, hone.make('tr', {}, hone.make('th', {scope: 'col', colspan: 2}, name))),
      hone.make('tbody', {}, hone.colored(text).map((pieces, i) => hone.make('tr', {},
        hone.make('td', {class: 'number', 'data-line': i + 1}), hone.make('td', {class: 'code same'}, hone.colored_line(pieces, [])))))));
};
