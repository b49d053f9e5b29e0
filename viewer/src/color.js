// Colors. The scale goes from dark blue to yellow with even steps in lightness, so that it reads in print and with any color vision.

const stops = ['#440154', '#482878', '#3e4989', '#31688e', '#26828e', '#1f9e89', '#35b779', '#6ece58', '#b5de2b', '#fde725'];

export const gradient = `linear-gradient(to right, ${stops.join(', ')})`;

/** The ends of the scale. */
export const [lowest, highest] = [stops.at(0), stops.at(-1)];

/** Of the runs, everywhere on the page: distinct for any color vision as far as that goes, the first ones most. */
export const runColors = [
  '#3f7fbf', '#e08a2e', '#4f9a5f', '#9063a8', '#c8505f', '#4aa3a8', '#8a6d3b', '#d879b4', '#6b7685', '#a3a52a', '#2c4f8f', '#e0653f',
];

/** Of the bodies of a scene, by number. */
export const bodyColor = (i) => runColors[i % runColors.length];

/** 256 colors as sRGB components between 0 and 1. */
export const table = Array.from({length: 256}, (_, i) => {
  const place = (i / 255) * (stops.length - 1);
  const k = Math.min(Math.floor(place), stops.length - 2);
  const channel = (stop, c) => parseInt(stops[stop].slice(1 + 2 * c, 3 + 2 * c), 16) / 255;
  return [0, 1, 2].map((c) => channel(k, c) + (place - k) * (channel(k + 1, c) - channel(k, c)));
});
