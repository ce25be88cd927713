'use strict';
// Everything that is shown is a text node or an attribute set by name; no markup is parsed.
const report = JSON.parse(document.getElementById('data').textContent);
const SVG = 'http://www.w3.org/2000/svg';
const STEP = 200;
const SEVERITIES = ['definite', 'claim', 'path', 'possible', 'unknown', 'remark'];
const VERDICTS = ['RACE', 'POSSIBLE', 'UNKNOWN', 'TRUSTED', 'PROVED'];

function el(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const key of Object.keys(attributes || {})) node.setAttribute(key, attributes[key]);
  node.append(...children.filter(child => child !== null && child !== undefined));
  return node;
}

function svg(name, attributes, text) {
  const node = document.createElementNS(SVG, name);
  for (const key of Object.keys(attributes)) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.append(text);
  return node;
}

const lines = new Map(report.sources.map(s => [s.file, new Map(s.lines)]));
const fileOf = x => (x.location && x.location.file) || '(no place)';
const placeOf = l => !l || !l.file ? '(no place)'
  : l.line ? l.file + ':' + l.line + (l.column ? ':' + l.column : '') : l.file;
const stateOf = f => f.suppression ? 'suppressed' : f.baseline === 'known' ? 'in the baseline'
  : f.baseline === 'new' ? 'new' : 'open';
const textOf = f => [f.message, f.rule, f.kernel, fileOf(f), f.object, f.reason,
  ...f.notes.map(n => n.text)].join('\n').toLowerCase();

// ---------------------------------------------------------------- findings ----

function noteRow(kind, text) { return el('div', {class: 'note ' + kind}, text); }

/// Marks of a finding: file -> line -> [[kind, text]].
function marksOf(finding) {
  const marks = new Map();
  const mark = (location, kind, text) => {
    if (!location || !location.file || !location.line) return;
    if (!marks.has(location.file)) marks.set(location.file, new Map());
    const file = marks.get(location.file);
    if (!file.has(location.line)) file.set(location.line, []);
    if (!file.get(location.line).some(m => m[1] === text)) file.get(location.line).push([kind, text]);
  };
  const threads = (finding.witness && finding.witness.threads) || [];
  (finding.accesses || []).forEach((a, i) => {
    const t = threads[Math.min(i, threads.length - 1)];
    mark(a.location, a.write ? 'write' : 'read',
      (a.atomic ? 'atomic ' : '') + (a.write ? 'write' : 'read')
      + (finding.object ? ' of ' + finding.object : '')
      + (t && threads.length > i ? ' by thread (' + t.thread + ') of block (' + t.block + ')' : ''));
    (a.inlined_at || []).forEach(l => mark(l, 'call', 'called from here'));
  });
  finding.notes.forEach(n => mark(n.location || finding.location, 'info', n.text));
  if (!(finding.accesses || []).length) mark(finding.location, 'info', finding.message);
  return marks;
}

function codeOf(file, marks) {
  const known = lines.get(file);
  const box = el('div', {class: 'code'}, el('div', {class: 'file'}, file));
  const near = [...marks.keys()];
  let last = 0;
  if (!known) {
    for (const [line, notes] of marks) {
      box.append(el('div', {class: 'row hit'}, el('b', {}, String(line)), '(no source here)'));
      notes.forEach(n => box.append(noteRow(n[0], n[1])));
    }
    return box;
  }
  for (const [line, text] of known) {
    if (!near.some(m => Math.abs(m - line) <= 5)) continue;
    if (last && line !== last + 1) box.append(el('div', {class: 'row'}, el('b', {}, '⋯')));
    last = line;
    const notes = marks.get(line);
    box.append(el('div', {class: notes ? 'row hit' : 'row'}, el('b', {}, String(line)), text));
    (notes || []).forEach(n => box.append(noteRow(n[0], n[1])));
  }
  return box;
}

function dims(v) { return v[1] === 1 && v[2] === 1 ? String(v[0]) : v.join(' × '); }

function witnessOf(finding) {
  const w = finding.witness;
  const table = el('table', {});
  const row = (name, value) => table.append(el('tr', {}, el('th', {scope: 'row'}, name), el('td', {}, value)));
  row('launch', 'grid ' + dims(w.grid) + ', block ' + dims(w.block));
  w.threads.forEach((t, i) => row(i ? 'second thread' : w.threads.length > 1 ? 'first thread' : 'thread',
    'threadIdx (' + t.thread.join(', ') + ') of blockIdx (' + t.block.join(', ') + ')'));
  w.values.forEach(v => row(v.name, String(v.value)));
  row('bytes', 'offset ' + w.byte_offset + (finding.object ? ' of ' + finding.object : '')
    + (w.element !== null && w.element !== undefined ? ', element ' + w.element : ''));
  return table;
}

/// The threads of the witness and the elements around the one they meet in.
function mapOf(finding) {
  const w = finding.witness, unit = w.element !== null && w.element !== undefined;
  const at = unit ? w.element : w.byte_offset, from = Math.max(0, at - 3), cells = 8, width = 74;
  const accesses = finding.accesses || [];
  const height = 64 + 54 * w.threads.length;
  const node = svg('svg', {viewBox: '0 0 ' + (cells * width + 20) + ' ' + height, role: 'img',
    width: cells * width + 20, height, 'aria-label': 'memory map'});
  const y = height - 44, x = i => 10 + i * width;
  for (let i = 0; i < cells; i++) {
    const n = from + i;
    node.append(svg('rect', {x: x(i), y, width, height: 26, class: n === at ? 'cell hit' : 'cell'}));
    node.append(svg('text', {x: x(i) + width / 2, y: y + 18, 'text-anchor': 'middle'}, '[' + n + ']'));
  }
  node.append(svg('text', {x: 10, y: y + 40, class: 'dim'},
    (finding.object || 'memory') + (unit ? ' (elements)' : ' (bytes)')));
  w.threads.forEach((t, i) => {
    const access = accesses[Math.min(i, accesses.length - 1)];
    const kind = access && access.write ? 'write' : 'read';
    const top = 6 + 54 * i, target = x(at - from) + width / 2 + (i ? 8 : -8), start = 300;
    node.append(svg('rect', {x: 10, y: top, width: 290, height: 30, rx: 4, class: 'thread'}));
    node.append(svg('text', {x: 20, y: top + 20},
      kind + ': thread (' + t.thread + '), block (' + t.block + ')'));
    node.append(svg('path', {class: kind,
      d: 'M' + start + ' ' + (top + 15) + ' H' + (target > start ? target : start + 12 + 10 * i) + ' V'
        + (target > start ? y - 7 : y - 14 - 5 * i) + (target > start ? '' : ' H' + target + ' V' + (y - 7))}));
    node.append(svg('path', {class: kind, d: 'M' + (target - 5) + ' ' + (y - 9) + ' l5 8 l5 -8'}));
  });
  return node;
}

function bodyOf(finding) {
  const body = el('div', {class: 'body'});
  if (finding.reason) body.append(el('p', {}, 'Hangs on: ' + finding.reason));
  if (finding.suppression)
    body.append(el('p', {}, 'Suppressed at ' + placeOf(finding.suppression.location) + ': ' + finding.suppression.reason));
  for (const [file, marks] of marksOf(finding)) body.append(codeOf(file, marks));
  if (finding.witness) body.append(mapOf(finding), witnessOf(finding));
  const fixes = finding.fixits || [];
  if (fixes.length)
    body.append(el('p', {}, 'Proved to mend it: ' + fixes.map(f => (f.remove ? 'replace ' + f.remove + ' characters by' : 'insert')
      + ' “' + f.insert.trim() + '” at ' + placeOf(f.location)).join('; ')));
  const origin = [];
  if ((finding.kernels || []).length) origin.push('kernels: ' + finding.kernels.join(', '));
  if ((finding.targets || []).length) origin.push('architectures: ' + finding.targets.join(', '));
  if ((finding.units || []).length) origin.push('sources: ' + finding.units.join(', '));
  body.append(el('p', {class: 'quiet'}, origin.join(' · ') + (origin.length ? ' · ' : '') + 'id ' + finding.id));
  return body;
}

function findingOf(finding) {
  const box = el('details', {},
    el('summary', {},
      el('span', {class: 'tag ' + finding.severity}, finding.severity),
      stateOf(finding) === 'open' ? null : el('span', {class: 'tag quiet'}, stateOf(finding)),
      finding.message, ' ', el('span', {class: 'quiet'}, '[gpusafe-' + finding.rule + ']'),
      el('div', {class: 'where'}, placeOf(finding.location) + (finding.kernel ? ' · ' + finding.kernel : ''))));
  box.addEventListener('toggle', () => {
    if (box.open && box.children.length === 1) box.append(bodyOf(finding));
  });
  return box;
}

// ------------------------------------------------------------------ tables ----

function table(heads, rows) {
  const body = el('tbody', {});
  rows.forEach(r => body.append(el('tr', {}, ...r.map(c => el('td', {}, c)))));
  return el('table', {}, el('thead', {}, el('tr', {}, ...heads.map(h => el('th', {scope: 'col'}, h)))), body);
}

const verdictClass = {RACE: 'definite', POSSIBLE: 'possible', UNKNOWN: 'unknown', TRUSTED: 'claim', PROVED: 'remark'};
function verdict(v) { return el('span', {class: 'tag ' + verdictClass[v]}, v); }

// ------------------------------------------------------------------ facets ----

const facets = [
  {name: 'Severity', key: f => f.severity, order: SEVERITIES, on: new Set()},
  {name: 'State', key: stateOf, on: new Set()},
  {name: 'Rule', key: f => f.rule, on: new Set()},
  {name: 'File', key: fileOf, on: new Set()},
  {name: 'Kernel', key: f => f.kernel || '(none)', on: new Set()},
];
const findings = report.findings.slice().sort((a, b) =>
  SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
findings.forEach(f => { f.text = textOf(f); });

function chosen(words, but) {
  return findings.filter(f => facets.every(facet =>
    facet === but || !facet.on.size || facet.on.has(facet.key(f))) && words.every(w => f.text.includes(w)));
}

function drawFacets(words) {
  const box = document.getElementById('facets');
  box.replaceChildren();
  for (const facet of facets) {
    const counts = new Map();
    chosen(words, facet).forEach(f => counts.set(facet.key(f), (counts.get(facet.key(f)) || 0) + 1));
    facet.on.forEach(v => { if (!counts.has(v)) counts.set(v, 0); });
    const values = [...counts.keys()].sort((a, b) => facet.order
      ? facet.order.indexOf(a) - facet.order.indexOf(b) : counts.get(b) - counts.get(a) || (a < b ? -1 : 1));
    const list = el('div', {class: 'facet'});
    values.slice(0, 300).forEach(value => {
      const input = el('input', {type: 'checkbox'});
      input.checked = facet.on.has(value);
      input.addEventListener('change', () => {
        if (input.checked) facet.on.add(value); else facet.on.delete(value);
        draw();
      });
      list.append(el('label', {title: value}, input, el('span', {}, value), el('span', {}, String(counts.get(value)))));
    });
    box.append(el('h2', {}, facet.name), list);
  }
}

// -------------------------------------------------------------------- page ----

let tab = 'Findings';
const tabs = {
  Findings: (list, words) => {
    const found = chosen(words, null);
    if (!found.length) list.append(el('p', {}, findings.length ? 'No finding matches.' : 'Nothing was found.'));
    let shown = 0;
    const more = el('button', {class: 'more'}, '');
    const step = () => {
      const part = document.createDocumentFragment();
      found.slice(shown, shown + STEP).forEach(f => part.append(findingOf(f)));
      shown = Math.min(found.length, shown + STEP);
      more.before(part);
      more.textContent = 'Show more (' + (found.length - shown) + ' left)';
      more.hidden = shown === found.length;
    };
    list.append(more);
    more.addEventListener('click', step);
    step();
    if (found.length === 1) list.querySelector('details').open = true;
  },
  Kernels: (list, words) => list.append(table(['Verdict', 'Kernel', 'Place', 'Why not proved'],
    report.kernels.filter(k => words.every(w => (k.name + placeOf(k.location)).toLowerCase().includes(w)))
      .sort((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict))
      .map(k => [verdict(k.verdict), k.name, placeOf(k.location), k.reason || '']))),
  Sources: (list, words) => list.append(table(['State', 'Source', 'Architectures', 'Kernels', 'Remarks'],
    report.units.filter(u => words.every(w => u.file.toLowerCase().includes(w)))
      .sort((a, b) => (a.status < b.status ? 1 : a.status > b.status ? -1 : 0))
      .map(u => [el('span', {class: 'tag ' + (u.status === 'failed' ? 'definite' : 'remark')},
        u.status === 'failed' ? 'not analysed' : 'analysed'), u.file, u.targets.join(' '), String(u.kernels),
      [u.reason].concat(u.remarks).filter(Boolean).join('; ')]))),
  Trusted: list => list.append(report.trusts.length ? table(['Rule', 'Place', 'Reason', 'Kernels', 'How'],
    report.trusts.map(t => [t.rule, placeOf(t.location), t.reason, (t.kernels || []).join(', '),
      t.kind === 'attribute' ? 'GS_TRUSTED' : t.kind === 'comment' ? 'comment' : 'file of suppressions']))
    : el('p', {}, 'Nothing is taken on trust.')),
  Assumptions: list => {
    const seen = new Map();
    report.kernels.forEach(k => (k.assumptions || []).forEach(a => {
      const key = a.text + '\n' + a.checked;
      if (!seen.has(key)) seen.set(key, [a.text, a.checked ? 'at launch' : 'unchecked', []]);
      seen.get(key)[2].push(k.name);
    }));
    list.append(seen.size ? table(['Assumption', 'Checked', 'Kernels'], [...seen.values()].map(a =>
      [a[0], a[1], a[2].length > 6 ? a[2].slice(0, 6).join(', ') + ' and ' + (a[2].length - 6) + ' more' : a[2].join(', ')]))
      : el('p', {}, 'No verdict assumes anything.'));
  },
};

function draw() {
  const words = document.getElementById('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const box = document.getElementById('tabs'), list = document.getElementById('list');
  const sizes = {Findings: findings.length, Kernels: report.kernels.length, Sources: report.units.length,
    Trusted: report.trusts.length};
  box.replaceChildren(...Object.keys(tabs).map(name => {
    const button = el('button', {role: 'tab', 'aria-selected': String(name === tab)},
      name + (name in sizes ? ' (' + sizes[name] + ')' : ''));
    button.addEventListener('click', () => { tab = name; draw(); });
    return button;
  }));
  list.replaceChildren();
  tabs[tab](list, words);
  drawFacets(words);
}

function summarise() {
  const s = report.summary, parts = [];
  SEVERITIES.slice(0, 5).forEach(name => { if (s[name]) parts.push(s[name] + ' ' + name); });
  if (s.suppressed) parts.push(s.suppressed + ' suppressed');
  document.getElementById('sum').textContent = s.units + (s.units === 1 ? ' source' : ' sources') + (s.failed ? ' (' + s.failed + ' not analysed)' : '')
    + ', ' + s.kernels + (s.kernels === 1 ? ' kernel: ' : ' kernels: ') + VERDICTS.filter(v => s[v]).map(v => s[v] + ' ' + v.toLowerCase()).join(', ')
    + ' · findings: ' + (parts.join(', ') || 'none');
}

const open = findings.filter(f => !f.suppression);
['definite', 'claim', 'path', 'possible'].forEach(s => { if (open.some(f => f.severity === s)) facets[0].on.add(s); });
document.getElementById('search').addEventListener('input', draw);
document.addEventListener('keydown', event => {
  const search = document.getElementById('search');
  if (event.key === '/' && document.activeElement !== search) { event.preventDefault(); search.focus(); }
});
summarise();
draw();
