// Which run is where in the picture: a name in each cell or, when the bodies are overlaid, a list.

export class Labels {
  constructor(parent, runs) {
    this.root = parent.appendChild(document.createElement('div'));
    this.root.id = 'labels';
    this.names = new Map(runs.map((run) => [run, this.name(run)]));
  }

  name(run) {
    const node = document.createElement('div');
    node.className = 'name';
    node.innerHTML = '<i></i><span></span><em></em>';
    node.children[0].style.background = run.color;
    node.children[1].textContent = run.name;
    const {status, steps} = run.summary;
    node.children[2].textContent = status === 'finished' ? '' : status === 'doubtful' ? status : `${status} after ${steps} step${steps === 1 ? '' : 's'}`;
    node.classList.add(status);
    return node;
  }

  rename(run) {
    this.names.get(run).children[1].textContent = run.name;
  }

  /** cells: [{x, y, width, height, runs}] in pixels. */
  place(cells) {
    this.root.replaceChildren(
      ...cells.map(({x, y, width, height, runs}) => {
        const cell = document.createElement('div');
        cell.className = 'cell';
        cell.style.cssText = `left: ${x}px; top: ${y}px; width: ${width}px; height: ${height}px`;
        cell.append(...runs.map((run) => this.names.get(run)));
        return cell;
      }),
    );
  }
}
