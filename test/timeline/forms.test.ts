// The forms of a timeline: text for a terminal, and a Mermaid sequence diagram that parses whatever the texts in it are.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TimelineEntry } from '../../src/admin/timeline/entries.ts';
import { timelineMermaid } from '../../src/admin/timeline/mermaid.ts';
import { timelineText } from '../../src/admin/timeline/text.ts';
import type { Timeline } from '../../src/admin/timeline/timeline.ts';
import { anyText } from '../support/any-text.ts';
import { playing } from '../support/client.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';
import { runs } from '../support/thorough.ts';
import { freshWorld, subscribe } from '../support/webhooks.ts';

const { sandbox } = useSandbox({ clock: 'manual', rateLimit: false });
const newReceiver = useReceivers();

/** The lines of a sequence diagram as this server writes them; Mermaid's own parser accepts each of these forms. */
const words = String.raw`(?:[A-Za-z0-9 .,:/+()='?&*_-]|#\d+;|<br/>)*`;
const actor = '(?:client|sandbox|actor\\d+)';
const diagramLine = new RegExp(
  `^(?:participant ${actor} as ${words}|Note over ${actor}(?:,${actor})?: ${words}|${actor}(?:->>|-->>|-\\))${actor}: ${words})$`,
);

function expectDiagram(diagram: string): void {
  const [first, ...lines] = diagram.split('\n');
  expect(first).toBe('sequenceDiagram');
  expect(lines.pop()).toBe('');
  for (const line of lines) expect(line).toMatch(diagramLine);
  const declared = lines.flatMap((line) => line.match(/^participant (\w+)/)?.[1] ?? []);
  for (const line of lines)
    for (const [used] of line.matchAll(/^actor\d+|\bactor\d+(?=:)/g)) expect(declared).toContain(used);
  expect(diagram.length).toBeLessThan(50_000);
}

async function callWithDelivery(): Promise<{ id: string; read: (form: string) => Promise<string>; receiver: string }> {
  const { client, world } = freshWorld(sandbox);
  const receiver = await newReceiver();
  await subscribe(client, receiver.url, 'call_busy');
  const id = await client.call('+12125550100', playing('busy;ring=2s'));
  await world.clock.untilIdle();
  return {
    id,
    receiver: receiver.url,
    async read(form) {
      const answer = await client.get(`/_sandbox/calls/${id}/timeline?format=${form}`);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
      return answer.text;
    },
  };
}

describe('the text of a timeline', () => {
  it('says what became of the record and why, then one aligned line for each entry', async () => {
    const { id, read, receiver } = await callWithDelivery();
    const text = (await read('text'))
      .replace(/ in \d+ ms/g, ' in 1 ms')
      .replace(/ {2,}[a-z]{3}_[0-9a-f]{24}$/gm, '  <id>');
    expect(text.split('\n')).toEqual([
      `call ${id}: BUSY`,
      '  played busy;ring=2s, because the X-Sandbox-Scenario header of the request names it',
      '  not answered (number), because the X-Sandbox-Scenario header of the request ranks higher',
      '  not answered (default), because the X-Sandbox-Scenario header of the request ranks higher',
      '  began at 2026-01-05T15:00:00.000Z',
      '',
      '+0.000s  request   POST /v1/calls/dial -> 202 in 1 ms, x-sandbox-scenario: busy;ring=2s  <id>',
      '+0.000s  step        call created QUEUED  <id>',
      '+0.000s  event         new_call, no delivery: none_of_that_type  <id>',
      '+2.000s  step        call QUEUED -> BUSY (busy)  <id>',
      '+2.000s  event         call_completed, no delivery: none_of_that_type  <id>',
      '+2.000s  event         call_busy, 1 delivery  <id>',
      `+2.000s  delivery        call_busy to ${receiver}: delivered  <id>`,
      '+2.000s  attempt           attempt 1: 200 in 1 ms',
      '+2.000s  event         phone_call.ended, no delivery: none_of_that_type  <id>',
      '',
    ]);
  });
});

describe('the diagram of a timeline', () => {
  it('shows client, sandbox, record and receiver, and each entry', async () => {
    const { id, read, receiver } = await callWithDelivery();
    const diagram = await read('mermaid');
    expectDiagram(diagram);
    expect(diagram.replace(/ in \d+ ms/g, ' in 1 ms')).toContain(
      [`participant actor1 as call ${id.slice(0, 8)}`, `participant actor2 as ${receiver}`].join('\n'),
    );
    expect(diagram).toContain('client->>sandbox: +0.000s POST /v1/calls/dial -#62; 202 in');
    expect(diagram).toContain('actor1->>actor1: +2.000s call QUEUED -#62; BUSY (busy)');
    expect(diagram).toContain(`sandbox-)actor2: +2.000s call_busy to ${receiver}: delivered`);
    expect(diagram).toContain('actor2-->>sandbox: +2.000s attempt 1: 200 in');
  });

  const text = fc.oneof(
    anyText(60),
    fc.constantFrom(
      'a;b',
      'end',
      '#',
      '%%{init: {}}%%',
      '<script>',
      'a\nb',
      '"x" as y',
      'Note over a: b',
      '}',
      ': wrap:',
      '\u2028',
    ),
  );
  const hostile: fc.Arbitrary<Timeline> = fc
    .array(fc.tuple(text, text, text, fc.integer({ min: -9e9, max: 9e9 })), { maxLength: 8 })
    .map((rows) => ({
      subject: { table: rows[0]?.[0] ?? 'calls', id: rows[0]?.[1] ?? '' },
      status: rows[0]?.[2] ?? null,
      began_at: null,
      now: '',
      choice: null,
      entries: rows.flatMap(([a, b, c, offset_ms], index): TimelineEntry[] => {
        const common = {
          id: `x${index}`,
          at: '',
          offset_ms,
          depth: index,
          cause: b,
          subject: { table: 'calls', id: a },
        } as const;
        return [
          { ...common, kind: 'request', request: requestWith(a, b, c) },
          { ...common, kind: 'step', step: { trigger: a, from: b, to: c, error: null, choice: null } },
          { ...common, kind: 'delivery', delivery: deliveryTo(a, b, offset_ms) },
        ];
      }),
    }));

  it('parses whatever users have written, and the text has one line for each entry all the same', () => {
    fc.assert(
      fc.property(hostile, (timeline) => {
        expectDiagram(timelineMermaid(timeline));
        const lines = timelineText(timeline).split('\n');
        expect(lines.length).toBe(
          timeline.entries.length === 0 ? 3 : 4 + timeline.entries.length + timeline.entries.length / 3,
        );
      }),
      { numRuns: runs(60, 2000) },
    );
  });

  it('of a thousand entries ends with how many are left out', () => {
    const entries = Array.from({ length: 1000 }, (_, n): TimelineEntry => {
      const step = { trigger: 't'.repeat(200), from: 'A', to: 'B', error: null, choice: null };
      return { id: `${n}`, kind: 'step', at: '', offset_ms: n, depth: 0, cause: null, subject: null, step };
    });
    const subject = { table: 'jobs', id: '1' };
    const diagram = timelineMermaid({ subject, status: null, began_at: null, now: '', choice: null, entries });
    expectDiagram(diagram);
    expect(diagram).toContain('Note over sandbox: 800 more entries');
  });
});

function requestWith(path: string, header: string, effect: string): NonNullable<TimelineEntry['request']> {
  return {
    method: 'POST',
    path,
    operation: null,
    status: 0,
    error_code: null,
    duration_ms: 1,
    replayed: false,
    fault: null,
    faults: [{ id: 'flt_1', effect }],
    control_headers: { 'x-sandbox-scenario': header },
    choice: null,
  };
}

function deliveryTo(url: string, error: string, offset_ms: number): NonNullable<TimelineEntry['delivery']> {
  const attempt = {
    number: 1,
    attempted_at: '',
    offset_ms,
    latency_ms: 1,
    status: null,
    error_class: 'other',
    error,
    hint: null,
    reason: 'retry',
    plan: [error],
    signed_with: null,
  } as const;
  return {
    event_type: 'call_busy',
    subscription_id: '',
    url,
    status: 'failed',
    next_attempt_at: null,
    held_by: null,
    attempts: [attempt],
  };
}
