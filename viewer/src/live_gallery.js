// The scenes that come along, as cards.

import {element} from './summary.js';

export function showGallery(scenes, choose) {
  const gallery = document.getElementById('gallery');
  gallery.replaceChildren(
    ...scenes.map(({name, description, picture}, i) => {
      const card = element('button', undefined, 'scene-card');
      card.type = 'button';
      if (picture) {
        const image = card.appendChild(element('img'));
        image.src = `picture/${i}${window.location.search}`;
        image.alt = '';
      }
      card.append(element('b', name), element('span', description));
      card.addEventListener('click', () => {
        for (const other of gallery.children) other.classList.remove('chosen');
        card.classList.add('chosen');
        choose(i);
      });
      return card;
    }),
  );
}
