import { eventKind } from '../../../protocol/event-payload.ts';
import { heartbeat } from '../../../spec/events.ts';
import { results } from './envelope.ts';
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
        const kind = eventKind(frame.event);
        // A message of another name that has no data line is none: no reader of the format tells of it.
        const isMessage = kind || frame.event === heartbeat || frame.text !== undefined;
        if (isMessage || frame.data !== undefined) {
          findings.assert('event.payload-json', frame.data !== undefined, id, () => ({
            message:
              frame.text === undefined
                ? `${frame.event} came without data`
                : `the data of ${frame.event || 'a message'} was not JSON`,
            must: { words: 'JSON' },
            actual: frame.text ?? null,
            evidence,
          }));
        }
        if (!kind) continue;
        findings.assert('event.own-stream-only', kind.stream === stream.kind, id, () => ({
          message: `${frame.event} came on the ${stream.kind} stream`,
          must: { words: `the ${kind.stream} stream` },
          evidence,
        }));
      }
    }
  },
});
