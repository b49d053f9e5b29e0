// The page of `brio reproduce`: for each item of a paper its claim, our numbers beside the printed ones, the verdict with
// its rule, the curves and the moving bodies.

import {Chart} from './chart.js';
import {style} from './line_styles.js';

const errors = [];
window.addEventListener('error', (event) => errors.push(String(event.message)));

const data = JSON.parse(document.getElementById('brio-data').textContent);

/** An element with its class, its text and what is in it. */
function element(tag, {name = '', text, href} = {}, children = []) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text !== undefined) made.textContent = text;
  if (href) made.href = href;
  made.append(...children);
  return made;
}

const verdicts = ['agrees', 'agrees in part', 'does not agree', 'cannot be compared', 'failed', 'still to come'];
const className = (verdict) => verdict.replaceAll(' ', '-');

function table(head, rows, title) {
  const made = element('table');
  if (title) made.append(element('caption', {text: title}));
  made.append(element('tr', {}, head.map((text) => element('th', {text}))));
  for (const cells of rows) {
    const row = made.appendChild(element('tr'));
    for (const cell of cells) row.append(cell instanceof Node ? element('td', {}, [cell]) : element('td', {text: cell}));
  }
  return element('div', {name: 'scroll'}, [made]);
}

const marks = {holds: '✓ holds', fails: '✗ does not', unknown: '? not measured'};

/** Today's method has its own column where it was run: what the statement's number would be with it. */
function statements(checks) {
  const withToday = checks.some(({today}) => today);
  const rows = checks.map(({say, value, ours, spread, today, paper, rule, outcome}) => [
    element('div', {}, [say, element('br'), element('code', {text: value})]),
    paper === null ? element('span', {name: 'differs', text: 'no number'}) : String(paper),
    spread ? element('div', {}, [ours, element('br'), element('small', {text: `rounds: ${spread}`})]) : ours,
    ...(withToday ? [today] : []),
    rule,
    element('span', {name: outcome, text: marks[outcome]}),
  ]);
  return table(['Statement', 'Paper', 'Ours', ...(withToday ? [data.today] : []), 'Rule', ''], rows);
}

/** The bodies move while they are on the screen; a browser cannot hold dozens of pictures at once. */
const watcher = new IntersectionObserver(
  (entries) => {
    for (const {target, isIntersecting} of entries) {
      target.replaceChildren();
      if (!isIntersecting) continue;
      const frame = target.appendChild(document.createElement('iframe'));
      frame.src = `${target.dataset.page}#bodies`;
      frame.title = 'The moving bodies';
    }
  },
  {rootMargin: '80px'},
);

function bodies(page) {
  const place = element('div', {name: 'bodies-frame'});
  place.dataset.page = page;
  watcher.observe(place);
  return place;
}

function runs(notes) {
  const rows = notes.map(({label, scene, method, vertices, elements, steps, h, status, message}) => [
    label, scene, method, vertices, elements, `${steps} × ${h} s`, message ? `${status}: ${message}` : status,
  ]);
  return element('details', {}, [
    element('summary', {text: 'What was run'}),
    table(['Label', 'Scene', 'Method', 'Vertices', 'Elements', 'Steps', 'Outcome'], rows),
  ]);
}

const notRun = 'still to come';

/** How many statements hold, and where not all do, why. */
const reasonOf = ({verdict, reason, why}) => (why && verdict !== 'agrees' ? `${reason}. ${why}` : reason);

function showItem(parent, item) {
  const card = parent.appendChild(element('section', {name: 'card item'}));
  card.id = item.name;
  card.append(
    element('h3', {}, [
      item.title,
      element('code', {text: item.name}),
      element('span', {name: `verdict ${className(item.verdict)}`, text: item.verdict}),
    ]),
    element('p', {text: item.claim}),
  );
  if (item.differs) card.append(element('p', {name: 'differs', text: `Differs from the paper: ${item.differs}`}));
  if (item.no_today) card.append(element('p', {name: 'differs', text: `No column of ${data.today}: ${item.no_today}`}));
  if (item.reason) card.append(element('p', {name: 'reason', text: reasonOf(item)}));
  if (item.checks?.length) card.append(statements(item.checks));
  for (const {title, head, rows} of item.tables ?? []) card.append(table(head, rows, title));
  const figures = card.appendChild(element('div', {name: 'figures'}));
  for (const {title, across, unit, log, curves} of item.charts ?? []) {
    new Chart(figures, {
      title,
      across,
      unit,
      log,
      lines: curves.map(({name, x, y, points}, i) => ({name, time: x, values: y, points, ...style(i)})),
    });
  }
  if (item.page) {
    card.append(bodies(item.page), element('p', {}, [element('a', {text: 'The whole comparison', href: item.page})]));
  }
  if (item.runs?.length) card.append(runs(item.runs));
}

const held = ['agrees', 'agrees in part', 'does not agree', 'cannot be compared', 'failed'];
const words = {
  agrees: 'held', 'agrees in part': 'held in part', 'does not agree': 'not held', 'cannot be compared': 'cannot be compared', failed: 'failed',
};

function link(item) {
  const made = element('a', {name: className(item.verdict), text: item.name, href: `#${item.name}`});
  made.title = `${item.title}: ${item.verdict}`;
  return made;
}

/** One paper on one screen: which of its claims held, and for the others the reason in a sentence. */
function showSummary(parent, {name, items}) {
  const run = items.filter((item) => item.verdict !== notRun);
  if (run.length === 0) return;
  const of = (verdict) => run.filter((item) => item.verdict === verdict);
  const statementsHeld = run.flatMap((item) => item.checks ?? []).filter((check) => check.outcome === 'holds').length;
  const statementsAll = run.flatMap((item) => item.checks ?? []).length;
  const counts = held.filter((verdict) => of(verdict).length > 0).map((verdict) => `${of(verdict).length} ${words[verdict]}`);
  const card = parent.appendChild(element('section', {name: 'summary'}, [element('h2', {text: name})]));
  card.append(element('p', {text: `Of ${run.length} tables and figures ${counts.join(', ')}; of ${statementsAll} statements ${statementsHeld} hold.`}));
  if (of('agrees').length > 0) card.append(element('p', {name: 'links'}, [element('b', {text: 'Held: '}), ...of('agrees').flatMap((item) => [link(item), ' '])]));
  const others = run.filter((item) => item.verdict !== 'agrees');
  if (others.length === 0) return;
  card.append(table(['', 'What', 'Verdict', 'Reason'], others.map((item) => [link(item), item.title, words[item.verdict], reasonOf(item)])));
}

function showOverview(papers) {
  const items = papers.flatMap((paper) => paper.items);
  const counts = verdicts.map((verdict) => [verdict, items.filter((item) => item.verdict === verdict).length]);
  const overview = document.getElementById('overview');
  overview.append(element('p', {text: counts.filter(([, count]) => count > 0).map(([verdict, count]) => `${verdict}: ${count}`).join(' · ')}));
  for (const paper of papers) showSummary(overview, paper);
}

document.getElementById('mode').textContent = `Runs: ${data.mode}.`;
document.getElementById('rule').textContent = data.rule;
showOverview(data.papers);
const main = document.getElementById('papers');
for (const {name, cite, items} of data.papers) {
  main.append(element('h2', {name: 'paper', text: name}), element('p', {name: 'cite', text: cite}));
  for (const item of items.filter(({verdict}) => verdict !== notRun)) showItem(main, item);
  const waiting = items.filter(({verdict}) => verdict === notRun);
  if (waiting.length === 0) continue;
  const folded = main.appendChild(element('details', {name: 'not-run'}, [element('summary', {text: `Not run: ${waiting.length} of ${items.length}`})]));
  for (const item of waiting) showItem(folded, item);
}

/** For those who drive the page by script: tests and screenshots. */
window.brio = {ready: Promise.resolve(true), errors, items: document.querySelectorAll('.item').length, data};
