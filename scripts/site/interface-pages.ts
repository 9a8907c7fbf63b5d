import { asyncapiDocument } from '../../src/spec/asyncapi.ts';
import { openapiDocument } from '../../src/spec/openapi.ts';
import { table } from '../markdown-table.ts';
import { fieldTable, linkTo, type Schema, typeText } from './schema-tables.ts';

/** The shapes of OpenAPI 3.1 and AsyncAPI 3 that are shown; both documents are made by us. */
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>;
}

interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly description?: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface AsyncApi {
  readonly asyncapi: string;
  readonly info: { readonly title: string };
  readonly channels: Readonly<
    Record<
      string,
      {
        readonly address: string;
        readonly description: string;
        readonly messages: Readonly<Record<string, { readonly $ref: string }>>;
      }
    >
  >;
  readonly operations: Readonly<
    Record<
      string,
      {
        readonly channel: { readonly $ref: string };
        readonly summary: string;
        readonly bindings?: { readonly http?: { readonly query?: Schema } };
      }
    >
  >;
  readonly components: {
    readonly messages: Readonly<
      Record<string, { readonly summary: string; readonly payload?: Schema }>
    >;
  };
}

const block = (...lines: readonly string[]): string => lines.join('\n');

/** "application/json: data: list of order, meta, pagination". */
function contentText({ content = {} }: Content): string {
  return Object.entries(content)
    .map(([type, { schema = {} }]) => {
      const members = Object.entries(schema.properties ?? {}).map(
        ([name, member]) => `\`${name}\`: ${typeText(member)}`,
      );
      return `${type}: ${members.length > 0 ? members.join(', ') : typeText(schema)}`;
    })
    .join('; ');
}

function operationText(path: string, method: string, operation: Operation): string {
  const { parameters = [], requestBody, responses } = operation;
  return [
    `### ${operation.summary}`,
    `\`${method.toUpperCase()} ${path}\``,
    operation.description,
    ...(parameters.length === 0
      ? []
      : [
          block(
            ...table(
              ['parameter', 'in', 'what it holds', 'what it does'],
              parameters.map(({ name, in: place, required, schema, description = '' }) => [
                `\`${name}\``,
                `${place}${required === true ? '' : ', may be absent'}`,
                typeText(schema),
                description,
              ]),
            ),
          ),
        ]),
    ...(requestBody
      ? [
          `Body${requestBody.required === true ? '' : ', may be absent'}: ${contentText(requestBody)}`,
        ]
      : []),
    block(
      ...table(
        ['answer', 'means', 'holds'],
        Object.entries(responses).map(([status, answer]) => [
          status,
          answer.description,
          contentText(answer),
        ]),
      ),
    ),
  ].join('\n\n');
}

export function openapiPage(): string {
  const document = openapiDocument() as unknown as OpenApi;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return [
    '# The HTTP interface',
    `${document.info.title}, as OpenAPI ${document.openapi}. ${document.info.description ?? ''}`,
    'The same as JSON: `assay spec openapi`. A reference that runs serves its own under `/openapi.json`.',
    ...document.tags.flatMap(({ name, description }) => [
      `## ${name} ${description}`,
      ...operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ path, method, operation }) => operationText(path, method, operation)),
    ]),
    '## What is sent and answered',
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) => [
      `### ${name}`,
      ...(schema.description === undefined ? [] : [schema.description]),
      block(...fieldTable(schema)),
    ]),
    '',
  ].join('\n\n');
}

export function asyncapiPage(): string {
  const document = asyncapiDocument() as unknown as AsyncApi;
  return [
    '# The event streams',
    `${document.info.title}, as AsyncAPI ${document.asyncapi}.`,
    'The same as JSON: `assay spec asyncapi`. A reference that runs serves it under `/asyncapi.json`.',
    ...Object.entries(document.channels).flatMap(([name, channel]) => {
      const heard = Object.values(document.operations).filter(({ channel: { $ref } }) =>
        $ref.endsWith(`/${name}`),
      );
      return [
        `## ${name}`,
        `\`GET ${channel.address}\`. ${channel.description}`,
        ...heard.map(({ summary }) => summary),
        ...heard.flatMap(({ bindings }) => {
          const rows = fieldTable(bindings?.http?.query ?? {});
          return rows.length === 0 ? [] : ['In the query:', block(...rows)];
        }),
        `Events: ${Object.values(channel.messages)
          .map(({ $ref }) => linkTo($ref))
          .join(', ')}.`,
      ];
    }),
    ...Object.entries(document.components.messages).flatMap(([name, { summary, payload = {} }]) => [
      `## ${name}`,
      summary,
      block(...fieldTable(payload)),
    ]),
    '',
  ].join('\n\n');
}
