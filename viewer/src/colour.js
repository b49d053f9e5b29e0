// From dark blue to yellow with even steps in lightness, so that it reads in print and with any colour vision.

const stops = ['#440154', '#482878', '#3e4989', '#31688e', '#26828e', '#1f9e89', '#35b779', '#6ece58', '#b5de2b', '#fde725'];

export const gradient = `linear-gradient(to right, ${stops.join(', ')})`;

/** 256 colours as sRGB components between 0 and 1. */
export const table = Array.from({length: 256}, (_, i) => {
  const place = (i / 255) * (stops.length - 1);
  const k = Math.min(Math.floor(place), stops.length - 2);
  const channel = (stop, c) => parseInt(stops[stop].slice(1 + 2 * c, 3 + 2 * c), 16) / 255;
  return [0, 1, 2].map((c) => channel(k, c) + (place - k) * (channel(k + 1, c) - channel(k, c)));
});
