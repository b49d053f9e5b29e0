// What can be taken along from brio itself.

/** Fetches a path of the server as a download. */
export function save(path) {
  const link = document.createElement('a');
  link.href = `${path}${window.location.search}`;
  link.download = '';
  link.click();
}
