// Bundles src/ into dist/report.html: one file with all script and style inside, and a mark where brio puts the data.
import {build} from 'esbuild';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';

const mark = '{{brio-data}}';

async function bundle(entry) {
  const result = await build({
    entryPoints: [entry],
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

const script = (await bundle('src/main.js')).replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
const style = await bundle('src/style.css');
const page = readFileSync('src/page.html', 'utf8')
  .replace('{{style}}', () => style)
  .replace('{{script}}', () => script);

if (page.split(mark).length !== 2) throw new Error(`the page must contain ${mark} exactly once`);
mkdirSync('dist', {recursive: true});
writeFileSync('dist/report.html', page);
