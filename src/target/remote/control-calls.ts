import type { Control } from '../../client/contract.ts';
import type { Route } from '../../client/http/route.ts';
import type { Exchange } from '../../history/records.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import type { ControlName } from '../../spec/requirements/requirement.ts';
import { fillTemplate } from '../file/clock-section.ts';
import type { ControlSection, RequestTemplate, TargetFile } from '../file/target-file.ts';
import { helperTimeoutMs, jsonBody, parseJson, postOnce } from './helper-http.ts';
import { controlActor } from '../opened-target.ts';

/** The controls that a target file offers, ready to use. */
export function controlsOf(
  { controls, route }: Pick<TargetFile, 'controls' | 'route'>,
  timeline: Timeline,
  timeoutMs: number = helperTimeoutMs,
): { readonly [name in ControlName]?: Control } {
  const entries = Object.entries(controls) as [ControlName, ControlSection][];
  return Object.fromEntries(
    entries.map(([name, { order, call }]): [ControlName, Control] => [
      name,
      {
        ...(order && { order }),
        ...(call && { call: callOf(name, call, route, timeline, timeoutMs) }),
      },
    ]),
  );
}

/** How the target is ended and started again. */
export function restartOf(
  template: RequestTemplate,
  route: Route,
  timeline: Timeline,
  timeoutMs: number = helperTimeoutMs,
): () => Promise<Exchange> {
  const call = callOf('restart', template, route, timeline, timeoutMs);
  return () => call();
}

/** A call beside the interface: it is shown like an exchange, but is no part of the history that is judged. */
function callOf(
  name: ControlName | 'restart',
  template: RequestTemplate,
  route: Route,
  timeline: Timeline,
  timeoutMs: number,
) {
  let calls = 0;
  return async (intentId?: string): Promise<Exchange> => {
    const values = intentId === undefined ? {} : { intent_id: intentId };
    const { url, body } = fillTemplate(template, values);
    calls += 1;
    const id = `${controlActor} ${name}#${calls}`;
    const sent = timeline.now();
    const answer = await timeline.turn(() => postOnce(url, jsonBody(body ?? {}), route, timeoutMs));
    const base = {
      kind: 'exchange',
      id,
      by: controlActor,
      party: controlActor,
      role: 'institution',
      params: {},
      query: {},
      auth: 'none',
      request: { method: 'POST', path: url, headers: {}, body },
      sent,
      received: timeline.now(),
    } as const;
    if (!answer.ok) return { ...base, error: { code: 'refused', message: answer.message } };
    const parsed = parseJson(answer.text);
    const shown = parsed === undefined ? { text: answer.text.slice(0, 2_000) } : { body: parsed };
    return { ...base, response: { status: answer.status, headers: {}, ...shown } };
  };
}
