import { type Endpoint, type EndpointName, endpoints } from './endpoints.ts';
import type { Assignment } from './gaps/index.ts';
import { isOffsetParam } from './paging.ts';
import { orderStates, quoteStates } from './vocabulary.ts';

/** A query parameter of one endpoint. */
export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly type: 'string' | 'integer';
  readonly least?: number;
  readonly values?: readonly string[];
  readonly format?: 'uuid';
}

const states: Partial<Record<EndpointName, readonly string[]>> = {
  'order.list': orderStates,
  'quote.list': quoteStates,
};

/** Lists whose items have currencies to filter by, if the assignment has such a filter. */
const withCurrencies: readonly EndpointName[] = ['order.list', 'rfq.list'];

/** The parameters that part 4 names. */
function documented(name: EndpointName): readonly QueryParameter[] {
  const values = states[name];
  if (values) {
    return [{ name: 'status', description: 'Only items in this state.', type: 'string', values }];
  }
  if (name !== 'order.events') return [];
  const description = 'Only events of this order.';
  return [{ name: 'intent_id', description, type: 'string', format: 'uuid' }];
}

/** RFC 6750, 2.3. */
const accessToken: QueryParameter = {
  name: 'access_token',
  description: 'The token, where no header can be sent.',
  type: 'string',
};

function paging(answers: Assignment): readonly QueryParameter[] {
  const page = answers['list.page_param'];
  const most = answers['list.max_page_size'];
  const first = Number(answers['list.first_page']);
  const isOffset = isOffsetParam(page);
  return [
    {
      name: page,
      description: isOffset ? 'How many items to pass over.' : `The page, counted from ${first}.`,
      type: 'integer',
      least: isOffset ? 0 : first,
    },
    {
      name: answers['list.page_size_param'],
      description: `Items on a page, at most ${most}.`,
      type: 'integer',
      least: 1,
    },
  ];
}

/**
 * The query parameters of an endpoint: those that the document names; with the answers of one backend, all of its own.
 */
export function queryParametersOf(
  name: EndpointName,
  answers?: Assignment,
): readonly QueryParameter[] {
  const { result }: Endpoint = endpoints[name];
  const named = documented(name);
  if (answers?.['stream.auth'] === 'header-or-query' && result === 'stream')
    return [...named, accessToken];
  if (!answers || result !== 'list') return named;
  const filters = answers['list.other_filters'] === 'currency' && withCurrencies.includes(name);
  const currency = {
    name: 'currency',
    description: 'Only items in this currency.',
    type: 'string',
  };
  return [...named, ...(filters ? [currency as QueryParameter] : []), ...paging(answers)];
}
