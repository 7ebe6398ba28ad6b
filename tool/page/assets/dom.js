// Elements and figures. Text goes in as text alone: nothing here, or behind it, makes markup of a record's words.
'use strict';
const hone = {};

// make('a', {href: '#x', class: 'y', onclick: f}, 'text', element, [more]): null and undefined are left out.
hone.fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined)
      element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  return element;
};
hone.make = (tag, attributes, ...children) => hone.fill(document.createElement(tag), attributes, children);
hone.draw = (tag, attributes, ...children) =>
  hone.fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

hone.digits = (value, digits) => Number(value.toPrecision(digits)).toString();

hone.times = ratio => {
  if (!Number.isFinite(ratio)) return '–';
  return `${ratio >= 99.5 ? ratio.toFixed(0) : ratio >= 9.95 ? ratio.toFixed(1) : ratio.toFixed(2)}x`;
};
hone.interval = speedup => `[${hone.times(speedup.low)}, ${hone.times(speedup.high)}]`;

hone.duration = seconds => {
  if (!Number.isFinite(seconds)) return '–';
  for (const [unit, size] of [['s', 1], ['ms', 1e-3], ['µs', 1e-6], ['ns', 1e-9]])
    if (seconds >= size || unit === 'ns') return `${hone.digits(seconds / size, 3)} ${unit}`;
};

hone.clock = seconds => {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor(whole % 3600 / 60)} min`;
};

hone.count = number => number.toLocaleString('en-US');
hone.plural = (number, one, many) => `${hone.count(number)} ${number === 1 ? one : many || one + 's'}`;

// A description list of [label, text] pairs, those without a text left out.
hone.facts = pairs => hone.make('dl', {class: 'facts'},
  pairs.filter(([, text]) => text !== null && text !== undefined && text !== '')
    .map(([label, text]) => hone.make('div', {}, hone.make('dt', {}, label), hone.make('dd', {}, text))));

hone.table = (caption, heads, rows, name) => hone.make('div', {class: 'scrolls', tabindex: 0, role: 'region', 'aria-label': caption},
  hone.make('table', {class: name || 'plain'}, hone.make('caption', {}, caption),
    hone.make('thead', {}, hone.make('tr', {}, heads.map(head => hone.make('th', {scope: 'col'}, head)))),
    hone.make('tbody', {}, rows.map(cells => hone.make('tr', {},
      cells.map((cell, i) => hone.make(i ? 'td' : 'th', i ? {} : {scope: 'row'}, cell)))))));

// What is long comes when it is asked for.
hone.later = (summary, content) => {
  const details = hone.make('details', {}, hone.make('summary', {}, summary));
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) details.append(content());
  });
  return details;
};

// A drawing as wide as it is given room, drawn anew when that changes. draw(width) returns an <svg>.
hone.figure = (caption, draw) => {
  const room = hone.make('div', {class: 'drawing'});
  let drawn = 0;
  new ResizeObserver(([entry]) => {
    const width = Math.floor(entry.contentRect.width);
    if (width === drawn || width < 40) return;
    drawn = width;
    room.replaceChildren(draw(width));
  }).observe(room);
  return hone.make('figure', {}, room, hone.make('figcaption', {}, caption));
};

hone.section = (title, ...children) =>
  hone.make('section', {}, hone.make('h3', {}, title), children);
