// What can be taken along: the scene file, a page that replays, and a video.

/** Fetches a path of the server as a download. */
export function save(path) {
  const link = document.createElement('a');
  link.href = `${path}${window.location.search}`;
  link.download = '';
  link.click();
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
      const link = document.createElement('a');
      link.href = URL.createObjectURL(this.blob);
      link.download = 'brio.webm';
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    });
    this.recorder.start(500); // [ms] from piece to piece
    button.setAttribute('aria-pressed', true);
    button.textContent = 'Stop video';
  }
}
