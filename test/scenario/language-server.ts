import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { getLanguageService } from 'yaml-language-server/out/server/src/index.js';
import { root } from '../architecture/source.ts';

type Service = ReturnType<typeof getLanguageService>;
type Document = Parameters<Service['doValidation']>[0];

/** Documents of the language server, made by the package that it depends on itself. */
const ofServer = createRequire(import.meta.resolve('yaml-language-server'));
const { TextDocument } = ofServer('vscode-languageserver-textdocument') as {
  readonly TextDocument: {
    create(uri: string, language: string, version: number, text: string): Document;
  };
};

export interface Editor {
  /** Messages that an editor would underline in a file, with their lines. */
  validate(file: string, text: string): Promise<readonly string[]>;
}

/** The validator that editors use for YAML, with one schema for every file. */
export function editor(schema: unknown): Editor {
  const uri = 'schema://assay';
  const service = getLanguageService({
    schemaRequestService: () => Promise.resolve(JSON.stringify(schema)),
    workspaceContext: { resolveRelativePath: (path: string) => path },
  });
  service.configure({ validate: true, schemas: [{ uri, fileMatch: ['*'], schema }] });
  let opened = 0;
  return {
    async validate(file, text) {
      // Under an address of its own each time: the server remembers what it has seen.
      opened += 1;
      const document = TextDocument.create(`file:///${opened}/${file}`, 'yaml', 1, text);
      const found = await service.doValidation(document, false);
      return found.map(({ message, range }) => {
        const said = typeof message === 'string' ? message : message.value;
        return `${range.start.line + 1}: ${said}`;
      });
    },
  };
}

/** The YAML files below a folder of the project, by their paths from its root. */
export const yamlFilesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .toSorted();
