// The keys of the live page.

import {connectHelp, connectKeys} from './keys.js';

const click = (id) => () => document.getElementById(id).click();
const tool = (name) => () => document.querySelector(`[data-tool="${name}"]`).click();

const keys = [
  [' ', 'space', 'go on or pause', click('play')],
  ['.', '.', 'one step', click('step')],
  ['ArrowLeft', '←', 'back a second', click('rewind')],
  ['Home', 'Home', 'start again', click('reset')],
  ['g', 'G', 'drag: take a point of a body and pull', tool('drag')],
  ['p', 'P', 'poke: push at a point', tool('poke')],
  ['n', 'N', 'pin a point, or let go of a pin', tool('pin')],
  ['c', 'C', 'cut: draw a stroke through the body', tool('cut')],
  ['v', 'V', 'look: turn the view', tool('look')],
  ['w', 'W', 'mesh lines', click('mesh-lines')],
  ['r', 'R', 'whole scene', click('reset-view')],
  ['s', 'S', 'save the scene', click('save-scene')],
  ['d', 'D', 'dark or light', click('theme')],
  ['?', '?', 'this list', click('show-help')],
];
const mouse = [
  ['on a body', 'what the chosen tool does'],
  ['beside the bodies', 'turns the view; with the right button it moves, the wheel zooms'],
  ['two fingers', 'zoom and move'],
];

export function connectLiveKeys(button, dialog) {
  connectHelp(button, dialog, [...keys.map(([, shown, meaning]) => [shown, meaning]), ...mouse]);
  connectKeys(keys);
}
