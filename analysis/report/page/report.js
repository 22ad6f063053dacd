// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
// One selection everywhere: a click on a point, a row or a finding selects the same kernel. Everything is in
// the page already; this only shows and hides. Text is set as text, never as markup.
(() => {
  'use strict';
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const charts = all('.chart'), rows = all('.kernels tbody tr');
  let selected = null;

  function select(row, focusRow) {
    if (!document.getElementById('k' + row)) return;
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
  for (const point of all('svg .pt')) {
    const title = point.querySelector('title');
    if (!title) continue;
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
  for (const element of all('svg [data-row]')) {
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
  function fromHash() {
    const match = /^#k(\d+)$/.exec(location.hash);
    if (match) select(match[1], false);
    const target = location.hash.startsWith('#m-') && document.getElementById(location.hash.slice(1));
    if (target) {
      target.closest('details').open = true;
      target.scrollIntoView({block: 'center'});
    }
  }
  addEventListener('hashchange', fromHash);
  // A link to a kernel selects it where it is; only links from outside need to scroll.
  for (const link of all('a[href^="#k"]'))
    link.addEventListener('click', event => {
      event.preventDefault();
      history.replaceState(null, '', link.hash);
      select(link.hash.slice(2), true);
    });

  // --- sorting and filtering
  const heads = all('.kernels th');
  heads.forEach((head, column) => {
    if (!head.dataset.sort) return;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
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

  addEventListener('beforeprint', () => { for (const d of all('.print-open')) d.open = true; });
  if (rows.length) select(rows[0].dataset.row, false);
  fromHash();
})();
