// Writes dist/THIRD-PARTY-NOTICES.txt: every package whose code is bundled, with its licence and the text of it. The
// bundlers say which files they took, so that no package can be forgotten.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Licences whose code may be shipped within an Apache-2.0 package. */
export const allowedLicences = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
];

/** The files that contribute to the output of an esbuild run. */
export const bundledFiles = ({ outputs }) =>
  Object.values(outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((name) => inputs[name].bytesInOutput > 0),
  );

const marker = 'node_modules/';

/** The folders of the packages that bundled files came from, relative to the root, sorted. */
export function packagesOf(root, files) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const file of files) {
    const path = (file.startsWith(root) ? relative(root, file) : file).split(sep).join('/');
    const at = path.lastIndexOf(marker);
    if (at < 0) continue;
    const [first = '', second = ''] = path.slice(at + marker.length).split('/');
    found.add(
      path.slice(0, at + marker.length) + (first.startsWith('@') ? `${first}/${second}` : first),
    );
  }
  return [...found].toSorted();
}

/** Name, version, licence and its text; a package that ships no text is given by its author. */
export function noticeOf(root, folder) {
  const read = (name) => readFileSync(join(root, folder, name), 'utf8');
  const { name, version, license, author } = JSON.parse(read('package.json'));
  const names = readdirSync(join(root, folder)).toSorted();
  const texts = names.filter((file) => /^(licen[cs]e|copying|notice)\b/i.test(file));
  const text = texts.map((file) => read(file).trim()).join('\n\n');
  const credit =
    author && `Copyright ${author.name ?? author}. The package ships no text of its licence.`;
  return { name, version, licence: license, text: text || credit };
}

/**
 * @param files paths that a bundle holds, absolute or relative to the root
 * @throws if a package has no allowed licence, or neither a text of it nor an author
 */
export function noticesText(root, files) {
  const notices = packagesOf(root, files).map((folder) => noticeOf(root, folder));
  const wrong = notices.filter(({ licence, text }) => !allowedLicences.includes(licence) || !text);
  if (wrong.length > 0) {
    const named = wrong.map(({ name, version, licence }) => `${name} ${version} (${licence})`);
    throw new Error(
      `these packages must not be bundled, since their licence is not allowed or has no text: ${named.join(', ')}`,
    );
  }
  // Two copies of one version are one notice.
  const each = new Map(notices.map((one) => [`${one.name} ${one.version}`, one]));
  const lines = [...each].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    'Assay includes code of these packages.',
    ...lines.map(([title, { licence, text }]) => `${title} (${licence})\n\n${text}`),
  ].join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** The bundled packages as a software bill of materials, in the JSON form of CycloneDX 1.5. */
export function billOfMaterials(root, files) {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const component = (one) => ({
    type: 'library',
    'bom-ref': `pkg:npm/${one.name}@${one.version}`,
    name: one.name,
    version: one.version,
    purl: `pkg:npm/${encodeURIComponent(one.name).replace('%2F', '/')}@${one.version}`,
    licenses: [{ license: { id: one.licence } }],
  });
  const each = packagesOf(root, files).map((folder) => component(noticeOf(root, folder)));
  const components = [...new Map(each.map((one) => [one['bom-ref'], one])).values()];
  const metadata = { component: { type: 'application', 'bom-ref': 'assay', name, version } };
  return { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata, components };
}

export const noticesFile = 'THIRD-PARTY-NOTICES.txt';

/**
 * Writes the notices and the bill of materials.
 * @param outdir below the root
 */
export function writeNotices(root, files, outdir = 'dist') {
  writeFileSync(join(root, outdir, noticesFile), `${noticesText(root, files)}\n`);
  const bill = `${JSON.stringify(billOfMaterials(root, files), null, 2)}\n`;
  writeFileSync(join(root, outdir, 'sbom.cdx.json'), bill);
}
