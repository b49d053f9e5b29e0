// Play button, slider, clock, speed, loop and the keys.

import {number} from './format.js';
import {toggleTheme} from './theme.js';

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

  const keys = {
    ' ': () => player.toggle(),
    ArrowLeft: (event) => player.setFrame(player.frame - (event.shiftKey ? 10 : 1)),
    ArrowRight: (event) => player.setFrame(player.frame + (event.shiftKey ? 10 : 1)),
    Home: () => player.setFrame(0),
    End: () => player.setFrame(player.frames - 1),
    l: () => loop.click(),
    w: () => document.getElementById('mesh-lines').click(),
    r: () => document.getElementById('reset-view').click(),
    d: toggleTheme,
  };
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === 'SELECT') return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
  // The space key would also press the button that was clicked last.
  window.addEventListener('keyup', (event) => event.key === ' ' && event.preventDefault());
}
