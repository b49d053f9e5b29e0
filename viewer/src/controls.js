// Play button, slider, clock, speed, loop and the keys.

import {number} from './format.js';
import {connectHelp, connectKeys} from './keys.js';
import {isDark, toggleTheme} from './theme.js';

const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10, 20, 50, 100];
export const playIcon = '<svg viewBox="0 0 24 24"><path d="M7 4.5v15l12.5-7.5z"/></svg>';
export const pauseIcon = '<svg viewBox="0 0 24 24"><path d="M6.5 4.5h4v15h-4zm7 0h4v15h-4z"/></svg>';

/** Real time where that is watchable; otherwise what makes the run last about eight seconds. */
function watchableSpeed(duration) {
  if (!(duration > 0) || (duration >= 2 && duration <= 60)) return 1;
  const wanted = Math.log(duration / 8);
  return speeds.reduce((a, b) => (Math.abs(Math.log(b) - wanted) < Math.abs(Math.log(a) - wanted) ? b : a));
}

export function pressable(button, pressed, onChange) {
  const set = (value) => {
    button.setAttribute('aria-pressed', value);
    onChange(value);
  };
  button.addEventListener('click', () => set(button.getAttribute('aria-pressed') !== 'true'));
  set(pressed);
}

export function connectControls(player) {
  const [play, scrub, clock, speed, loop] = ['play', 'scrub', 'clock', 'speed', 'loop'].map((id) => document.getElementById(id));
  const decimals = player.clock.decimals ?? Math.min(6, Math.max(2, Math.ceil(2 - Math.log10(player.end - player.start || 1))));

  player.speed = player.clock.speed ?? watchableSpeed(player.end - player.start);
  for (const value of speeds) speed.add(new Option(`${number(value)}×`, value, false, value === player.speed));
  speed.addEventListener('change', () => (player.speed = Number(speed.value)));

  pressable(loop, true, (on) => (player.loop = on));
  play.addEventListener('click', () => player.toggle());
  scrub.max = Math.max(0, player.frames - 1);
  scrub.addEventListener('input', () => player.setFrame(Number(scrub.value)));

  let shownPlaying = null;
  player.onChange(() => {
    scrub.value = player.frame;
    scrub.style.setProperty('--done', `${(100 * player.frame) / Math.max(1, player.frames - 1)}%`);
    const time = player.frames > 0 ? player.times[player.frame] : 0;
    clock.textContent = `${time.toFixed(decimals)} / ${player.end.toFixed(decimals)}${player.clock.unit}`;
    clock.title = `frame ${player.frame + 1} of ${player.frames}`;
    if (shownPlaying !== player.playing) {
      shownPlaying = player.playing;
      play.innerHTML = player.playing ? pauseIcon : playIcon;
      play.setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
    }
  });

  connectPageKeys(player);
}

const click = (id) => () => document.getElementById(id).click();

function connectPageKeys(player) {
  const theme = document.getElementById('theme');
  theme.addEventListener('click', toggleTheme);
  const themed = () => (theme.textContent = isDark() ? 'Light' : 'Dark');
  window.addEventListener('brio-theme', themed);
  themed();
  const move = (frames) => (event) => player.setFrame(player.frame + frames * (event.shiftKey ? 10 : 1));
  const keys = [
    [' ', 'space', 'play or pause', () => player.toggle()],
    ['ArrowLeft', '←', 'a frame back; with shift, ten', move(-1)],
    ['ArrowRight', '→', 'a frame on; with shift, ten', move(1)],
    ['Home', 'Home', 'first frame', () => player.setFrame(0)],
    ['End', 'End', 'last frame', () => player.setFrame(player.frames - 1)],
    ['l', 'L', 'start again at the end', click('loop')],
    ['w', 'W', 'mesh lines', click('mesh-lines')],
    ['r', 'R', 'whole scene', click('reset-view')],
    ['s', 'S', 'save the picture', click('save-picture')],
    ['d', 'D', 'dark or light', () => toggleTheme()],
    ['?', '?', 'this list', click('show-help')],
  ];
  const mouse = [
    ['drag', 'turns the view; with the right button it moves, the wheel zooms'],
    ['click on a body', 'shows the path of the vertex there; beside it: no more'],
    ['on a chart', 'goes to that moment'],
  ];
  connectHelp(document.getElementById('show-help'), document.getElementById('help'), [...keys.map(([, shown, meaning]) => [shown, meaning]), ...mouse]);
  connectKeys(keys);
}
