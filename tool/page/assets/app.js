// What is shown by the address behind '#', and what `hone report --serve` brings while it is open.
'use strict';

hone.kept = {filter: '', order: Object.keys(hone.orders)[0]};

hone.read = text => {
  const data = JSON.parse(text);
  const seen = new Map();
  for (const kernel of data.kernels) {
    const id = `k-${kernel.key.slice(0, 12).replace(/[^0-9a-f]/g, '')}`;
    seen.set(id, (seen.get(id) || 0) + 1);
    kernel.id = seen.get(id) === 1 ? id : `${id}-${seen.get(id)}`;
  }
  return data;
};

hone.say = text => { document.getElementById('said').textContent = text; };

hone.show_top = data => {
  document.title = `${data.project || 'Hone'}: report`;
  document.getElementById('top').replaceChildren(
    hone.make('h1', {}, hone.make('a', {href: '#'}, data.project || 'project')),
    hone.make('p', {class: 'quiet'}, `Hone report, ${hone.plural(data.kernels.length, 'kernel')}`));
};

hone.show_bottom = data => {
  const licenses = JSON.parse(document.getElementById('licenses').textContent);
  document.getElementById('bottom').replaceChildren(
    hone.make('p', {class: 'quiet'}, `Made by hone ${data.version}. This file is whole: it loads nothing. hone report --json gives the same data.`),
    hone.later('Libraries in this page, and their licenses', () => hone.make('div', {},
      Object.entries(licenses).map(([name, text]) => hone.make('details', {}, hone.make('summary', {}, name), hone.make('pre', {tabindex: 0}, text))))));
};

hone.show = moved => {
  const id = decodeURIComponent(location.hash.slice(1));
  if (id === 'content') return document.getElementById('content').focus();
  const kernel = hone.data.kernels.find(one => one.id === id);
  const content = document.getElementById('content');
  content.replaceChildren();
  hone.fill(content, {}, kernel ? hone.kernel_view(kernel, hone.data) : hone.overview(hone.data));
  hone.shown = kernel ? JSON.stringify(kernel) : null;
  if (!moved) return;
  window.scrollTo(0, 0);
  if (kernel) document.getElementById('kernel-name').focus();
  else content.focus();
};

// A reader's place, and what he has open, stay while nothing changes where he is.
hone.take = data => {
  const id = decodeURIComponent(location.hash.slice(1));
  const kernel = data.kernels.find(one => one.id === id);
  hone.data = data;
  hone.show_top(data);
  if (kernel && JSON.stringify(kernel) === hone.shown) return;
  if (document.activeElement && document.activeElement.id === 'filter') return;
  const at = window.scrollY;
  hone.show(false);
  window.scrollTo(0, at);
  hone.say('The report is up to date.');
};

hone.follow = async () => {
  let tag = null;
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, 1500));
    try {
      const answer = await fetch('report.json', {headers: tag ? {'If-None-Match': tag} : {}, cache: 'no-store'});
      if (answer.status !== 200) continue;
      tag = answer.headers.get('ETag');
      hone.take(hone.read(await answer.text()));
    } catch (error) {
      hone.say('The server is gone; this is what it said last.');
    }
  }
};

hone.data = hone.read(document.getElementById('data').textContent);
hone.show_top(hone.data);
hone.show_bottom(hone.data);
hone.show(false);
window.addEventListener('hashchange', () => hone.show(true));
if (document.documentElement.hasAttribute('data-live')) hone.follow();
