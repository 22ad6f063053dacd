// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
// One selection everywhere: a click on a point, a row or a finding selects the same kernel. Everything is in
// the page already, the less seen parts of a long one packed; this shows, hides and unpacks. What is read from elements is
// set as text, never as markup.
(() => {
  'use strict';
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const charts = all('.chart'), rows = all('.kernels tbody tr');
  let selected = null;

  // --- what a long page keeps packed: charts, cards and sources that are not shown at first
  const packs = all('script[type="application/x-deflate"]');
  async function inflate(pack) {
    const bytes = Uint8Array.from(atob(pack.textContent), c => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    pack.markup = await new Response(stream).text();
  }
  const inflated = Promise.all(packs.map(inflate));
  /// Puts a pack's markup where it belongs, once.
  function unpack(pack) {
    const parts = document.createElement('template');
    parts.innerHTML = pack.markup;
    const added = [...parts.content.children];
    if (pack.dataset.first) {
      const end = document.querySelector('.sources-end');
      for (const part of added)
        if (part.matches('.source')) end.before(part);
        else pack.before(part);
      pack.remove();
    } else pack.replaceWith(parts.content);
    added.forEach(wire);
  }
  /// Those of the kernel's card that are still to be unpacked; `null` where the card is there or never was.
  const packOf = row => document.getElementById('k' + row) ? null
    : packs.find(p => p.isConnected && Number(p.dataset.first) <= row && row < Number(p.dataset.end)) || null;

  function select(row, focusRow) {
    const pack = packOf(row);
    if (pack) {
      if (pack.markup === undefined) { inflated.then(() => select(row, focusRow)); return; }
      unpack(pack);
    }
    selected = row;
    for (const element of all('[data-row]')) element.classList.toggle('on', element.dataset.row === row);
    const line = rows.find(r => r.dataset.row === row);
    if (line && focusRow) { line.focus({preventScroll: true}); line.scrollIntoView({block: 'nearest'}); }
  }

  // --- charts: one at a time, chosen by device, level and work
  const chosen = {};
  function showChart() {
    const fits = c => Object.keys(chosen).every(key => c.dataset[key] === chosen[key]);
    const shown = charts.find(fits);
    const pack = shown && shown.querySelector('script');
    if (pack) inflated.then(() => { if (pack.isConnected) unpack(pack); if (selected) select(selected, false); });
    for (const c of charts) c.classList.toggle('on', c === shown);
    for (const button of all('.chips button')) {
      const {key, value} = button.dataset;
      button.setAttribute('aria-pressed', String(chosen[key] === value));
      const would = {...chosen, [key]: value};
      button.disabled = !charts.some(c => Object.keys(would).every(k => c.dataset[k] === would[k]));
    }
  }
  const first = charts.find(c => c.hasAttribute('data-first')) || charts[0];
  if (first) for (const key of ['device', 'level', 'work']) chosen[key] = first.dataset[key];
  for (const button of all('.chips button'))
    button.addEventListener('click', () => { chosen[button.dataset.key] = button.dataset.value; showChart(); });
  showChart();

  // --- tooltips: the browser's own title bubbles are slow and can't be styled
  const tip = document.createElement('div');
  tip.id = 'tip';
  tip.hidden = true;
  document.body.append(tip);
  const hide = () => { tip.hidden = true; };
  function show(text, x, y) {
    tip.textContent = text;
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(8, Math.min(x + 14, innerWidth - box.width - 8)) + 'px';
    tip.style.top = (y + 18 + box.height > innerHeight ? y - box.height - 12 : y + 18) + 'px';
  }
  function wirePoint(point) {
    const title = point.querySelector('title');
    if (!title) return;
    const text = title.textContent;
    point.setAttribute('aria-label', text);
    title.remove();
    point.addEventListener('mousemove', event => show(text, event.clientX, event.clientY));
    point.addEventListener('mouseleave', hide);
    point.addEventListener('focus', () => {
      const box = point.getBoundingClientRect();
      if (point.matches(':focus-visible')) show(text, box.right, box.top);
    });
    point.addEventListener('blur', hide);
  }

  // --- selection
  function wireMark(element) {
    element.addEventListener('click', () => select(element.dataset.row, true));
    element.addEventListener('keydown', event => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      select(element.dataset.row, false);
    });
  }
  for (const row of rows) {
    row.tabIndex = -1;
    row.addEventListener('click', () => select(row.dataset.row, true));
  }
  const body = document.querySelector('.kernels tbody');
  if (body) {
    body.tabIndex = 0;
    body.addEventListener('keydown', event => {
      const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
      if (!step) return;
      event.preventDefault();
      const visible = all('tr', body).filter(r => !r.hidden);
      const at = visible.findIndex(r => r.dataset.row === selected);
      const next = visible[Math.max(0, Math.min(visible.length - 1, at + step))];
      if (next) select(next.dataset.row, true);
    });
  }

  // --- source: a line, its instructions and the picture of its access are one selection
  /// Scrolls a list of its own, not the page.
  function reveal(element) {
    const box = element.closest('.rows');
    for (let d = element.closest('details'); d; d = d.parentElement.closest('details')) d.open = true;
    const top = element.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
    if (top < box.scrollTop || top + 40 > box.scrollTop + box.clientHeight) box.scrollTop = Math.max(0, top - box.clientHeight / 3);
  }
  const keyOf = element => element.matches('.c') ? element.dataset.s : element.id.slice(element.id.indexOf('-') + 1);
  function mark(element) {
    const panel = element.closest('.source'), key = keyOf(element);
    for (const other of all('.sel', panel)) other.classList.remove('sel');
    const line = key && document.getElementById('k' + panel.dataset.row + '-' + key);
    const codes = key ? all('.c[data-s="' + key + '"]', panel) : [element];
    for (const e of [line, ...codes]) if (e) e.classList.add('sel');
    if (element.matches('.c')) { if (line) reveal(line); } else if (codes.length) reveal(codes.find(c => c.id) || codes[0]);
    const figures = all('.lanes', panel);
    if (figures.some(f => f.dataset.s === key)) for (const f of figures) f.classList.toggle('off', f.dataset.s !== key);
  }
  function wireSource(panel) {
    all('.lanes', panel).forEach((figure, i) => figure.classList.toggle('off', i > 0));
    const rowsOf = element => all(element.matches('.c') ? '.c[data-s], .c[id]' : '.l[id]', panel).filter(e => !e.closest('details:not([open])'));
    for (const element of all('.l[id], .c[id]', panel)) element.tabIndex = 0;
    panel.addEventListener('click', event => {
      const element = event.target.closest('.l[id], .c[data-s], .c[id]');
      if (element) mark(element);
    });
    panel.addEventListener('keydown', event => {
      const element = event.target;
      if (!element.matches('.l, .c')) return;
      const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
      if (step) {
        const list = rowsOf(element).filter(e => e.tabIndex === 0), next = list[list.indexOf(element) + step];
        if (next) { next.focus({preventScroll: true}); reveal(next); next.scrollIntoView({block: 'nearest'}); mark(next); }
      } else if (event.key === 'Enter' || event.key === ' ') mark(element);
      else return;
      event.preventDefault();
    });
  }
  function goTo(id) {
    const row = /^k(\d+)-/.exec(id)[1], pack = packOf(row);
    if (pack && pack.markup === undefined) { inflated.then(() => goTo(id)); return; }
    select(row, false);
    const element = document.getElementById(id);
    if (!element) return;
    reveal(element);
    mark(element);
    element.focus({preventScroll: true});
    element.scrollIntoView({block: 'center'});
  }

  function fromHash() {
    const match = /^#k(\d+)$/.exec(location.hash);
    if (match) select(match[1], false);
    if (/^#k\d+-/.test(location.hash)) goTo(location.hash.slice(1));
    const target = location.hash.startsWith('#m-') && document.getElementById(location.hash.slice(1));
    if (target) {
      target.closest('details').open = true;
      target.scrollIntoView({block: 'center'});
    }
  }
  addEventListener('hashchange', fromHash);
  // A link to a kernel selects it where it is; only links from outside need to scroll. One to a line goes there.
  function wireLink(link) {
    link.addEventListener('click', event => {
      event.preventDefault();
      history.replaceState(null, '', link.hash);
      if (link.hash.includes('-')) goTo(link.hash.slice(1));
      else select(link.hash.slice(2), true);
    });
  }
  // The meaning of a metric stands on the page once.
  function wireMetric(link) {
    link.addEventListener('mouseenter', () => {
      const meaning = document.querySelector(link.hash + ' dd');
      if (meaning && !link.title) link.title = meaning.textContent;
    });
  }

  // --- metrics and counters of a long page: names once, and a list of values for each kernel
  const factPack = packs.find(p => p.matches('.facts'));
  function wireFacts(details) {
    details.addEventListener('toggle', () => {
      if (details.querySelector('table')) return;
      inflated.then(() => {
        factPack.sheet ??= JSON.parse(factPack.markup);
        const {facts} = details.dataset, row = details.closest('.card').dataset.row, table = document.createElement('table');
        factPack.sheet.rows[row][facts].forEach((value, i) => {
          if (value === null) return;
          const name = factPack.sheet[facts][i], line = table.insertRow(), left = line.insertCell(), right = line.insertCell();
          left.className = 'left';
          right.className = 'nowrap';
          right.textContent = value;
          if (facts === 'metrics') {
            const link = document.createElement('a');
            link.href = '#m-' + name;
            link.textContent = name;
            wireMetric(link);
            left.append(link);
          } else left.textContent = name;
        });
        details.append(table);
      });
    });
  }

  /// Lets what is in the root, and it itself, answer.
  function wire(root) {
    const each = (selector, how) => { if (root.matches?.(selector)) how(root); all(selector, root).forEach(how); };
    each('svg .pt', wirePoint);
    each('svg [data-row]', wireMark);
    each('.source', wireSource);
    each('a[href^="#k"]', wireLink);
    each('.card a[href^="#m-"]', wireMetric);
    each('[data-facts]', wireFacts);
  }
  wire(document);

  // --- sorting and filtering
  const heads = all('.kernels th');
  heads.forEach((head, column) => {
    if (!head.dataset.sort) return;
    const button = document.createElement('button');
    button.type = 'button';
    for (const node of head.childNodes) button.append(node.nodeName === 'BR' ? node.cloneNode() : node.textContent);
    button.title = head.title;
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      const text = head.dataset.sort === 'text';
      const was = head.getAttribute('aria-sort');
      const up = was ? was === 'descending' : text;
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      const key = row => row.cells[column].dataset.v ?? (text ? row.cells[column].textContent : '');
      const sorted = [...rows].sort((a, b) => {
        const ka = key(a), kb = key(b);
        // What is missing goes last whichever way the rest is sorted.
        if (ka === '' || kb === '') return (ka === '') - (kb === '');
        const order = text ? ka.localeCompare(kb) : Number(ka) - Number(kb);
        return up ? order : -order;
      });
      body.append(...sorted);
    });
  });
  const filter = document.querySelector('.filter');
  if (filter)
    filter.addEventListener('input', () => {
      const wanted = filter.value.toLowerCase();
      for (const row of rows) row.hidden = !row.cells[1].textContent.toLowerCase().includes(wanted);
    });

  addEventListener('beforeprint', () => {
    // Paper shows every kernel.
    for (const pack of packs) if (pack.isConnected && pack.dataset.first && pack.markup !== undefined) unpack(pack);
    for (const d of all('.print-open')) d.open = true;
  });
  if (rows.length) select(rows[0].dataset.row, false);
  fromHash();
})();
