import { BoardBuilder } from '../../cockpit/view/board.ts';
import type {
  Act,
  CockpitState,
  Hello,
  Push,
  Verb,
  VerbAnswer,
} from '../../cockpit/view/messages.ts';
import type { Row } from '../../cockpit/view/row.ts';

/** Client of the cockpit server: receives its messages, and sends the requests of the page. */
export class Feed {
  hello: Hello | undefined;
  state: CockpitState | undefined;
  rows: Row[] = [];
  board = new BoardBuilder();
  /** A new epoch means that the rows belong to something else. */
  epoch = 0;
  isConnected = false;
  readonly #token: string;
  readonly #watchers = new Set<() => void>();
  #isTelling = false;

  constructor(token: string) {
    this.#token = token;
    const source = new EventSource(`/events?token=${encodeURIComponent(token)}`);
    source.onopen = () => {
      this.#forget();
      this.isConnected = true;
      this.#tell();
    };
    source.onerror = () => {
      this.isConnected = false;
      this.#tell();
    };
    source.onmessage = ({ data }) => this.#take(JSON.parse(String(data)) as Push);
  }

  watch(see: () => void): () => void {
    this.#watchers.add(see);
    return () => this.#watchers.delete(see);
  }

  async do(verb: Verb): Promise<VerbAnswer> {
    return verb.do === 'act' && verb.times === undefined ? this.#act(verb) : this.#say(verb);
  }

  /**
   * Sends one request to `/parties/<name>` of this server, which sends it to the target with the party's token. It stands in
   * the network log of the browser, so that a HAR of the page contains it.
   */
  async #act(act: Act): Promise<VerbAnswer> {
    const prepared = await this.#say({ do: 'prepare', act });
    if (!prepared.ok || !prepared.request) return prepared;
    const { party, method, path, body } = prepared.request;
    const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const answer = await this.#ask(`/parties/${party}${path}`, init);
    const { ok, status } = answer;
    // Reads the answer to its end, so that a HAR of this page contains it.
    await answer.text();
    const says = `${party}: ${method} ${path} answered ${status}`;
    return ok ? { ok, says } : { ok, problem: says };
  }

  async #say(verb: Verb): Promise<VerbAnswer> {
    const answer = await this.#ask('/do', { method: 'POST', body: JSON.stringify(verb) });
    return (await answer.json()) as VerbAnswer;
  }

  /** The whole record from the history. */
  async record(place: number): Promise<unknown> {
    return (await this.#ask(`/records/${place}`)).json();
  }

  /** The line as a scenario. */
  async scenario(): Promise<string> {
    return (await this.#ask('/scenario')).text();
  }

  #ask(path: string, init: { readonly method?: string; readonly body?: string } = {}) {
    const type = init.body === undefined ? {} : { 'content-type': 'application/json' };
    return fetch(path, { ...init, headers: { 'x-assay-token': this.#token, ...type } });
  }

  #forget(): void {
    this.rows = [];
    this.board = new BoardBuilder();
    this.epoch += 1;
  }

  #take(message: Push): void {
    switch (message.type) {
      case 'hello':
        this.hello = message.hello;
        break;
      case 'state':
        this.state = message.state;
        break;
      case 'reset':
        this.#forget();
        break;
      case 'rows':
        for (const row of message.rows) {
          this.rows.push(row);
          this.board.take(row);
        }
        break;
    }
    this.#tell();
  }

  /** Notifies watchers once for all changes before the next frame is drawn. */
  #tell(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    setTimeout(() => {
      this.#isTelling = false;
      for (const see of this.#watchers) see();
    }, 16);
  }
}
