import type { Control } from '../../client/contract.ts';
import type { Exchange } from '../../history/records.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import type { ControlName } from '../../spec/requirements/requirement.ts';
import { fillTemplate } from '../file/clock-section.ts';
import type { ControlSection, RequestTemplate, TargetFile } from '../file/target-file.ts';
import type { Correlate } from '../../client/correlation.ts';
import { type HelperWay, helperClient, jsonBody, parseJson } from './helper-http.ts';
import { controlActor } from '../opened-target.ts';

/** Route of calls to controls. They have ids, as the exchanges of parties have. */
export interface ControlWay extends HelperWay {
  readonly correlate: Correlate | undefined;
}

/** The controls that a target file offers, ready to use. */
export function controlsOf(
  { controls }: Pick<TargetFile, 'controls'>,
  timeline: Timeline,
  way: ControlWay,
): { readonly [name in ControlName]?: Control } {
  const entries = Object.entries(controls) as [ControlName, ControlSection][];
  return Object.fromEntries(
    entries.map(([name, { order, call }]): [ControlName, Control] => [
      name,
      {
        ...(order && { order }),
        ...(call && { call: callOf(name, call, timeline, way) }),
      },
    ]),
  );
}

/** A call beside the interface: it is shown like an exchange, but is no part of the history that is judged. */
export function callOf(
  name: ControlName | 'restart',
  template: RequestTemplate,
  timeline: Timeline,
  way: ControlWay,
) {
  let calls = 0;
  return async (intentId?: string): Promise<Exchange> => {
    const values = intentId === undefined ? {} : { intent_id: intentId };
    const { url, body } = fillTemplate(template, values);
    calls += 1;
    const id = `${controlActor} ${name}#${calls}`;
    const sent = timeline.now();
    const headers = way.correlate?.(id) ?? {};
    const answer = await timeline.turn(async () => {
      const client = helperClient(way);
      try {
        return await client.call('POST', url, jsonBody(body ?? {}), headers);
      } finally {
        await client.close();
      }
    });
    const base = {
      kind: 'exchange',
      id,
      by: controlActor,
      party: controlActor,
      role: 'institution',
      params: {},
      query: {},
      auth: 'none',
      request: { method: 'POST', path: url, headers, body },
      sent,
      received: timeline.now(),
    } as const;
    if (!answer.ok) return { ...base, error: { code: 'refused', message: answer.message } };
    const parsed = parseJson(answer.text);
    const shown = parsed === undefined ? { text: answer.text.slice(0, 2_000) } : { body: parsed };
    return { ...base, response: { status: answer.status, headers: {}, ...shown } };
  };
}
