// Files that a page makes itself.

export function saveBlob(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** A button that begins a video of a canvas, and saves it when it is pressed again. */
export class VideoRecorder {
  constructor(button, canvas) {
    button.hidden = typeof MediaRecorder === 'undefined';
    button.addEventListener('click', () => {
      if (this.recorder) this.recorder.stop();
      else if (canvas()) this.begin(button, canvas());
    });
  }

  begin(button, canvas) {
    const pieces = [];
    this.bytes = 0; // so far
    this.recorder = new MediaRecorder(canvas.captureStream(30), {mimeType: 'video/webm'});
    this.recorder.addEventListener('dataavailable', ({data}) => {
      pieces.push(data);
      this.bytes += data.size;
    });
    this.recorder.addEventListener('stop', () => {
      this.recorder = null;
      button.setAttribute('aria-pressed', false);
      button.textContent = 'Video';
      this.blob = new Blob(pieces, {type: 'video/webm'});
      saveBlob(this.blob, 'brio.webm');
    });
    this.recorder.start(500); // [ms] from piece to piece
    button.setAttribute('aria-pressed', true);
    button.textContent = 'Stop video';
  }
}

/** The curves of all runs as a table: the run, the time, and the columns of each. */
export function curvesTable(runs) {
  const columns = [...new Set(runs.flatMap((run) => Object.keys(run.series)))].filter((name) => runs.some((run) => run.series[name].some(Number.isFinite)));
  const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [['run', ...columns].join(',')];
  for (const run of runs)
    for (let i = 0; i < run.series.time.length; i++)
      lines.push([quoted(run.name), ...columns.map((name) => (Number.isFinite(run.series[name]?.[i]) ? run.series[name][i] : ''))].join(','));
  return `${lines.join('\n')}\n`;
}
