// Bundles src/ into dist/: for each page one file with all script and style inside, and a mark where brio puts the data.
import {build} from 'esbuild';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';

const mark = '{{brio-data}}';
const pages = {
  report: {title: 'brio', content: 'page.html', script: 'main.js', style: 'style.css'},
  damping: {title: 'Artificial damping · brio', content: 'damping.html', script: 'damping.js', style: 'damping.css'},
  curves: {title: 'brio', content: 'curves.html', script: 'curves.js', style: 'damping.css'},
  reproduce: {title: 'The papers, reproduced · brio', content: 'reproduce.html', script: 'reproduce.js', style: 'reproduce.css'},
  live: {title: 'brio live', content: 'live.html', script: 'live.js', style: 'live.css'},
};

async function bundle(entry) {
  const result = await build({
    entryPoints: [`src/${entry}`],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2020',
    charset: 'ascii',
    legalComments: 'inline',
    logLevel: 'warning',
  });
  return result.outputFiles[0].text;
}

const source = (name) => readFileSync(`src/${name}`, 'utf8');

mkdirSync('dist', {recursive: true});
for (const [name, parts] of Object.entries(pages)) {
  const script = (await bundle(parts.script)).replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const style = await bundle(parts.style);
  const page = source('frame.html')
    .replace('{{title}}', parts.title)
    .replace('{{content}}', () => source(parts.content))
    .replace('{{style}}', () => style)
    .replace('{{script}}', () => script);
  if (page.split(mark).length !== 2) throw new Error(`${name}: the page must contain ${mark} exactly once`);
  writeFileSync(`dist/${name}.html`, page);
}
