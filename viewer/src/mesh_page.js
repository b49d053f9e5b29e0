// The page of `brio mesh`: one shape at rest and what can be measured of it.

import {number, whole} from './format.js';
import {element, showTitle, summaryTable} from './summary.js';

const columns = [
  ['Vertices', (s) => whole(s.vertices)],
  ['Tetrahedra', (s) => whole(s.elements)],
  ['Parts', (s) => whole(s.components)],
  ['Volume', (s) => `${number(s.volume)} m³`],
  ['Dihedral angles', (s) => `${number(s.least_dihedral, 3)}° to ${number(s.most_dihedral, 4)}°`],
  ['Worst element', (s) => `${whole(s.worst_tet)}, aspect ${number(s.worst_aspect, 3)}`],
  ['Shortest edge', (s) => `${number(s.least_edge, 3)} m`],
  ['Regions', (s) => (s.regions.length > 0 ? s.regions.join(', ') : '–')],
  ['Made in', (s) => `${number(s.wall_s, 3)} s`],
];

export function showMeshSummary(report) {
  showTitle(report);
  document.getElementById('summary').append(summaryTable(report.runs, columns));
  for (const message of report.runs[0].summary.messages) {
    document.getElementById('banners').append(element('p', message, 'banner'));
  }
}
