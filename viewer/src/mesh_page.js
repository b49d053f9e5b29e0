// The page of `brio info` and `brio mesh`: one body that does not move, how good its elements are, what is wrong with it.

import {Chart} from './chart.js';
import {number, whole} from './format.js';
import {element, showTitle, summaryTable} from './summary.js';

const size = ({low, high}) => high.map((value, i) => number(value - low[i], 4)).join(' × ');

function columns({summary}) {
  const all = [
    ['Vertices', (s) => whole(s.vertices)],
    [summary.tetrahedra === undefined ? 'Triangles' : 'Tetrahedra', (s) => whole(s.tetrahedra ?? s.triangles)],
    ['Extent', (s) => `${size(s)} m`],
    ['Volume', (s) => (s.volume === null ? '– (open)' : `${number(s.volume, 5)} m³`) + (s.shape ? `, shape ${number(s.shape.volume, 5)} m³` : '')],
    ['Area', (s) => `${number(s.area, 5)} m²`],
    ['Components', (s) => (s.face_components === undefined ? whole(s.components) : `${whole(s.face_components)} by faces`)],
    ['Genus', (s) => (s.genus === null ? '–' : whole(s.genus)) + (s.shape ? `, shape ${whole(s.shape.genus)}` : '')],
    ['Euler number', (s) => (s.boundary ? `${s.euler}, boundary ${s.boundary.euler}` : String(s.euler))],
  ];
  if (summary.dihedral) {
    all.push(['Pinches', (s) => whole(s.pinches.edges + s.pinches.vertices)]);
    all.push(['Regions', (s) => whole(s.regions.length)]);
    all.push(['Dihedral angles', (s) => `${number(s.dihedral.least, 3)}° to ${number(s.dihedral.most, 3)}°`]);
    all.push(['Worst aspect', (s) => `${number(s.aspect.worst, 3)} (the ${s.aspect.worst_places.length} worst are marked)`]);
  }
  return all;
}

export function showMeshSummary(report) {
  showTitle(report);
  document.body.classList.add('still');
  const {summary} = report.runs[0];
  if (summary.aspect) report.runs[0].marks = [...summary.aspect.worst_places, ...summary.pinches.places]; // drawn as dots
  document.getElementById('summary').append(summaryTable(report.runs, columns(report.runs[0])));
  for (const problem of report.runs[0].summary.problems) {
    document.getElementById('banners').append(element('p', problem, 'banner interrupted'));
  }
}

/** The outline of the bars; a class without end is drawn ten times as wide as it begins. */
function outline({bounds, counts}) {
  const time = [];
  const values = [];
  counts.forEach((count, i) => {
    time.push(bounds[i], bounds[i + 1] ?? 10 * bounds[i]);
    values.push(count, count);
  });
  return {time: Float64Array.from(time), values: Float64Array.from(values)};
}

export function showMeshCharts({runs: [{summary}]}) {
  if (!summary.dihedral) return;
  const parent = document.getElementById('charts');
  const bars = (histogram, color) => [{name: 'count', color, width: 2, ...outline(histogram)}];
  new Chart(parent, {title: 'Dihedral angles', note: 'a regular tetrahedron has 70.5°', unit: '', across: 'degrees', lines: bars(summary.dihedral.histogram, '#2f7fc1')});
  new Chart(parent, {title: 'Aspect', note: 'longest edge over smallest height; 1 is best', unit: '', across: 'aspect', log: 'x', lines: bars(summary.aspect.histogram, '#e07b28')});
}
