import { eventKind } from '../../../protocol/event-payload.ts';
import { heartbeat } from '../../../spec/events.ts';
import { failureReasons } from '../../../spec/vocabulary.ts';
import { results } from './envelope.ts';
import { visit } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import { resultKindOf } from '../../trace/calls.ts';

export const bodyTypes = defineRule({
  id: 'wire.bodies',
  title: 'Successful answers are JSON and say so, streams are event streams',
  requirements: ['body.json', 'body.content-type', 'stream.content-type'],
  judge(view, findings) {
    for (const call of view.once(results)) {
      const { response } = call.exchange;
      const text = response?.text ?? '';
      if (call.body === undefined && text === '') continue;
      const json = findings.assert('body.json', call.body !== undefined, call.id, () => ({
        message: `${call.endpoint} answered a success that is not JSON`,
        actual: text.slice(0, 80),
        evidence: [call.id],
      }));
      if (!json) continue;
      const type = response?.headers['content-type'] ?? '';
      findings.assert('body.content-type', /[/+]json\b/i.test(type), call.id, () => ({
        message: `${call.endpoint} answered JSON under another content type`,
        expected: 'application/json',
        actual: type,
        evidence: [call.id],
      }));
    }
    for (const call of view.calls) {
      if (!call.ok || resultKindOf(call) !== 'stream') continue;
      const type = call.exchange.response?.headers['content-type'] ?? '';
      findings.assert('stream.content-type', /^text\/event-stream\b/i.test(type), call.id, () => ({
        message: `${call.endpoint} opened a stream under another content type`,
        expected: 'text/event-stream',
        actual: type,
        evidence: [call.id],
      }));
    }
  },
});

/** What stands between a client and a backend says so with these: they are no answer of the backend's own. */
const weather = new Set([502, 503, 504]);

export const refusalStatus = defineRule({
  id: 'wire.refusals',
  title: 'A refusal is a 4xx, and speaks no failure reason of an order',
  requirements: ['error.refusal-is-4xx', 'error.reasons-are-outcomes'],
  judge(view, findings) {
    const reasons: ReadonlySet<unknown> = new Set(failureReasons);
    const served = new Set(view.calls.flatMap(({ ok, endpoint }) => (ok && endpoint) || []));
    for (const call of view.calls) {
      const { status, id } = call;
      if (status === undefined || call.ok) continue;
      // What stands before a backend may redirect all of an endpoint; who is served and who is not, it does not know.
      const isRedirect =
        status >= 300 && status < 400 && call.endpoint && served.has(call.endpoint);
      if (status < 400 && !isRedirect) continue;
      if (weather.has(status)) {
        findings.inconclusive('error.refusal-is-4xx', {
          message: `a request was answered ${status}, which may come from in between`,
          evidence: [id],
        });
        continue;
      }
      const holds = !isRedirect && status < 500;
      findings.assert('error.refusal-is-4xx', holds, id, () => ({
        message: `${call.endpoint ?? 'a request'} was answered with ${status}`,
        expected: 'success, or a 4xx status',
        actual: status,
        evidence: [id],
      }));
      if (!holds) continue;
      let spoken: unknown;
      visit(call.body, (_, value) => {
        if (reasons.has(value)) spoken = value;
      });
      findings.assert('error.reasons-are-outcomes', spoken === undefined, id, () => ({
        message: 'a refusal carried a failure reason of orders as its code',
        actual: spoken,
        evidence: [id],
      }));
    }
  },
});

export const streamMessages = defineRule({
  id: 'stream.messages',
  title: 'Each message has a name that belongs to its stream, and JSON in it',
  requirements: ['event.has-name', 'event.payload-json', 'event.own-stream-only'],
  judge(view, findings) {
    for (const stream of view.streams) {
      for (const { frame, id } of stream.frames) {
        const evidence = [stream.id, id];
        findings.assert('event.has-name', frame.event !== '', id, () => ({
          message: 'a message came without an event name',
          actual: frame.data ?? frame.text,
          evidence,
        }));
        if (frame.event === heartbeat && frame.data === undefined) {
          // What it carries is not shown, but that it carries JSON is said of each message.
          findings.warn('event.payload-json', {
            message:
              frame.text === undefined
                ? 'a heartbeat came without data, so that no browser tells of it'
                : 'the data of a heartbeat was not JSON',
            actual: frame.text ?? null,
            evidence,
          });
        }
        const kind = eventKind(frame.event);
        if (!kind) continue;
        findings.assert('event.payload-json', frame.data !== undefined, id, () => ({
          message: `the data of ${frame.event} was not JSON`,
          actual: frame.text,
          evidence,
        }));
        findings.assert('event.own-stream-only', kind.stream === stream.kind, id, () => ({
          message: `${frame.event} came on the ${stream.kind} stream`,
          expected: `the ${kind.stream} stream`,
          evidence,
        }));
      }
    }
  },
});
