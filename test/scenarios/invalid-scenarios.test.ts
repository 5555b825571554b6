// Scenarios of a world that are refused: each error names the field and the line of the YAML or JSON that was sent.
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { busyLine, putYaml, useScenarios } from './setup.ts';

const { client } = useScenarios();

describe('an invalid scenario of a world', () => {
  const head = 'kind: call\nsummary: A line of our own.\n';
  const nines = (of: string): string => Array(9).fill(of).join(', ');
  const aliasBomb = ['a', 'b', 'c', 'd', 'e', 'f']
    .map((name, at) => `${name}: &${name} [${nines(at === 0 ? 'x' : `*${'abcdef'[at - 1]}`)}]\n`)
    .join('');
  const broken: readonly [what: string, text: string, field: string, line: number, says: string][] = [
    ['an unknown trigger', busyLine('', 'bussy'), 'timeline.0.trigger', 4, 'bussy'],
    ['an unknown kind', busyLine().replace('kind: call', 'kind: cal'), 'kind', 1, 'caller_id'],
    ['an unknown code', `${head}refuse:\n  - code: dnc_supressed\n`, 'refuse.0.code', 4, 'dnc_suppressed'],
    ['a code that no dial is refused with', `${head}refuse:\n  - code: busy\n`, 'refuse.0.code', 4, 'dnc_suppressed'],
    ['a transition that the state does not allow', busyLine('', 'complete'), 'timeline.0.trigger', 4, 'QUEUED'],
    [
      'a transition out of a terminal state',
      `${busyLine()}  - { after: 1s, trigger: ring }\n`,
      'timeline.1.trigger',
      5,
      'no trigger follows',
    ],
    [
      'a transition in a branch that the state does not allow',
      `${head}timeline:\n  - branch:\n      - { weight: 1, timeline: [{ after: 1s, trigger: busy }] }\n      - weight: 1\n        timeline:\n          - { after: 1s, trigger: answer }\n`,
      'timeline.0.branch.1.timeline.0.trigger',
      8,
      'QUEUED',
    ],
    [
      'an invalid duration',
      busyLine().replace('after: 1s', 'after: 3 seconds'),
      'timeline.0.after',
      4,
      'a duration such as 250ms',
    ],
    ['an unknown parameter', busyLine().replace('after: 1s', 'after: $wait'), 'timeline.0.after', 4, '$wait'],
    [
      'a parameter that is not a duration',
      busyLine('parameters:\n  wait: soon\n').replace('after: 1s', 'after: $wait'),
      'parameters.wait',
      4,
      'soon',
    ],
    ['an invalid number', busyLine('numbers: ["3"]\n'), 'numbers.0', 3, 'two digits'],
    ['a missing summary', 'kind: call\ntimeline: []\n', 'summary', 1, ''],
    ['an unknown base scenario', `${head}extends: nonesuch\n`, 'extends', 3, 'nonesuch'],
    ['a base scenario of another kind', `${head}extends: verification_slow\n`, 'kind', 1, 'caller_id'],
    ...['constructor', 'toString', '__proto__'].map((name): [string, string, string, number, string] => [
      `a trigger named ${name}`,
      busyLine('', name),
      'timeline.0.trigger',
      4,
      'allowed: ring',
    ]),
    [
      'an unknown expected status',
      `${head}expect:\n  statuses: [QUEUED, BUSSY]\n`,
      'expect.statuses.1',
      4,
      'NO_ANSWER',
    ],
    ['an unknown expected event', `${head}expect: { events: [bussy] }\n`, 'expect.events.0', 3, 'call_busy'],
    [
      'an unknown expected refusal',
      `${head}expect: { refused: [{ status: 403, code: bussy }] }\nrefuse: [{ code: no_consent }]\n`,
      'expect.refused.0.code',
      3,
      'no_consent',
    ],
    [
      'a status that its timeline does not lead to',
      `${busyLine()}expect:\n  statuses: [QUEUED, RINGING, BUSY]\n`,
      'expect.statuses.1',
      6,
      '"RINGING" cannot happen here: step 1 (busy) leads to BUSY',
    ],
    [
      'a status before the one that a record starts with',
      `${busyLine()}expect:\n  statuses: [RINGING, BUSY]\n`,
      'expect.statuses.0',
      6,
      'the request leads to QUEUED',
    ],
    [
      'fewer statuses than its timeline leads to',
      `${busyLine()}expect:\n  statuses: [QUEUED]\n`,
      'expect.statuses',
      6,
      'must not end after 1: step 1 (busy) leads to BUSY',
    ],
    [
      'a status after the last one',
      `${busyLine()}expect:\n  statuses: [QUEUED, BUSY, COMPLETED]\n`,
      'expect.statuses.2',
      6,
      'the timeline has ended',
    ],
    [
      'an event that its timeline does not emit',
      `${busyLine()}expect:\n  events: [new_call, call_completed, call_failed, phone_call.ended]\n`,
      'expect.events.2',
      6,
      '"call_failed" cannot happen here: step 1 (busy) leads to call_busy',
    ],
    [
      'statuses of a request that is always refused',
      `${head}refuse:\n  - code: dnc_suppressed\nexpect:\n  statuses: [QUEUED]\n`,
      'expect.statuses',
      6,
      'every request is refused',
    ],
    [
      'fewer refusals than it has',
      `${busyLine('refuse: [{ code: provider_api_error, times: 2 }]\n')}expect: { statuses: [QUEUED, BUSY] }\n`,
      'expect.refused',
      6,
      '2 requests are refused before the timeline starts',
    ],
    [
      'another refusal than it has',
      `${head}refuse:\n  - code: dnc_suppressed\nexpect:\n  refused: [{ status: 403, code: no_consent }]\n`,
      'expect.refused.0.code',
      6,
      'request 1 is refused with dnc_suppressed',
    ],
    [
      'another status than the code of a refusal has',
      `${head}refuse:\n  - code: dnc_suppressed\nexpect:\n  refused: [{ status: 429, code: dnc_suppressed }]\n`,
      'expect.refused.0.status',
      6,
      'must be 403',
    ],
    [
      'an expected field that its records do not have',
      `${busyLine()}expect:\n  record: { outcome: busy }\n`,
      'expect.record.outcome',
      6,
      'is not a field of a call; allowed: id, status,',
    ],
    [
      'an expected value that its field does not have',
      `${busyLine()}expect:\n  record: { call_outcome: bussy }\n`,
      'expect.record.call_outcome',
      6,
      'did you mean busy?',
    ],
    [
      'an expected value of another type',
      `${busyLine()}expect:\n  record: { duration_seconds: "0" }\n`,
      'expect.record.duration_seconds',
      6,
      'must be an integer or null, not a string',
    ],
    [
      'an expected value that its timeline does not lead to',
      `${busyLine()}expect:\n  record: { call_outcome: answered }\n`,
      'expect.record.call_outcome',
      6,
      '"answered" cannot happen: step 1 (busy) leads to busy',
    ],
    [
      'an expected status of the record that its timeline does not lead to',
      `${busyLine()}expect:\n  record: { status: COMPLETED }\n`,
      'expect.record.status',
      6,
      '"COMPLETED" cannot happen: step 1 (busy) leads to BUSY',
    ],
    [
      'an expected field of a nested value that does not exist',
      'kind: remediation\nsummary: S.\nexpect:\n  record:\n    numbers:\n      - { outcom: refused }\n',
      'expect.record.numbers.0.outcom',
      6,
      'did you mean outcome?',
    ],
    [
      'a step with a misspelt field',
      `${head}timeline:\n  - after: 1s\n    trigger: busy\n    wiht: {}\n`,
      'timeline.0.wiht',
      6,
      'allowed: after, trigger, with; did you mean with?',
    ],
    [
      'a parameter that the extended scenario does not have',
      `${head}extends: answered\nparameters:\n  tlak: 2s\n`,
      'parameters.tlak',
      5,
      'is not a parameter of answered; allowed: ring, talk; did you mean talk?',
    ],
    [
      'a value of a parameter that the extended scenario cannot use',
      `${head}extends: answered\nparameters:\n  talk: long\n`,
      'parameters.talk',
      5,
      'is "long"; must be a duration',
    ],
    ['invalid YAML', `${head}numbers: ["60"\ntimeline: []\n`, 'body', 4, ''],
    ['an undefined alias', `${head}timeline: *nope\n`, 'body', 3, '*nope refers to an anchor that is not defined'],
    [
      'an alias within its own anchor',
      `${head}timeline: &t\n  - branch:\n    - { weight: 1, timeline: *t }\n    - { weight: 1, timeline: *t }\n`,
      'body',
      5,
      '*t is part of the value that it refers to',
    ],
    ['aliases that multiply', aliasBomb, 'body', 5, 'more than 10000 values'],
    ['deeply nested flow sequences', `${head}timeline:\n${'['.repeat(30_000)}`, 'body', 4, '64 levels'],
    ['deeply nested block sequences', `${head}timeline:\n${'- '.repeat(30_000)}`, 'body', 4, '64 levels'],
    ['an array as a key', `${head}? [a, b]\n: 1\n`, 'body', 3, 'a key must be a string'],
    ['a repeated field', `${head}kind: call\n`, 'body', 3, '"kind" appears more than once'],
    ['a reserved name', `${head}parameters: { __proto__: 1s }\n`, 'body', 3, 'reserved'],
    ['a second document', `${head}---\n${head}`, 'body', 3, 'second document'],
    ['an array at the top level', '- kind: call\n', 'body', 1, ''],
  ];

  it.each(broken)('%s is refused with 400, naming the field and the line', async (_, text, field, line, says) => {
    const answer = await putYaml(client, 'own_line', text);
    expectError(answer, 400, 'validation_error');
    expect(Object.keys(answer.body.error.fields)).toEqual([field]);
    expect(answer.body.error.fields[field]).toMatch(new RegExp(`\\bline ${line}\\b`));
    expect(answer.body.error.fields[field]).toContain(says);
    expect((await client.get('/_sandbox/scenarios/own_line')).status).toBe(404);
  });

  it('several faults are refused at once, each with its line', async () => {
    const text = `${head.replace('A line of our own.', '""')}colour: red\ntimeline:\n  - { after: soon, trigger: busy }\n`;
    const answer = await putYaml(client, 'own_line', text);
    expectError(answer, 400, 'validation_error');
    expect(answer.body.error.fields).toEqual({
      summary: 'line 2, column 1: must not be empty',
      colour: expect.stringMatching(/^line 3, column 1: is not a known field/),
      'timeline.0.after': expect.stringMatching(/^line 5, column 7: must be a duration/),
    });
  });

  it('a misspelt field of a step is named, beside the one that is missing', async () => {
    const text = `${head}timeline:\n  - { after: 1s, triger: busy }\n`;
    const { body } = await putYaml(client, 'own_line', text);
    expect(body.error.fields).toEqual({
      'timeline.0.trigger': 'line 4, column 5: is required',
      'timeline.0.triger':
        'line 4, column 18: is not a known field; allowed: after, trigger, with; did you mean trigger?',
    });
  });

  it('faults of form and of meaning are refused at once', async () => {
    const text = `${head}numbers: [3]
timeline:
  - { after: soon, trigger: ring }
  - { after: $wait, trigger: anser }
  - branch:
      - { weight: heavy, timeline: [{ after: 1s, trigger: bussy }] }
      - { weight: 1, timeline: [{ after: 1s, triger: complete }] }
expect:
  statuses: [QUEUED, RINNGING, 5]
  record: { call_outcme: busy }
`;
    const { body } = await putYaml(client, 'own_line', text);
    expect(Object.keys(body.error.fields)).toEqual([
      'numbers.0',
      'timeline.0.after',
      'timeline.1.after',
      'timeline.1.trigger',
      'timeline.2.branch.0.weight',
      'timeline.2.branch.0.timeline.0.trigger',
      'timeline.2.branch.1.timeline.0.trigger',
      'timeline.2.branch.1.timeline.0.triger',
      'expect.statuses.1',
      'expect.statuses.2',
      'expect.record.call_outcme',
    ]);
  });

  it('no fault is claimed of what other faults leave unknown', async () => {
    const text = `${head}timeline: 5\nexpect:\n  statuses: [QUEUED, BUSY]\n  record: { call_outcome: busy }\n`;
    const { body } = await putYaml(client, 'own_line', text);
    expect(Object.keys(body.error.fields)).toEqual(['timeline']);
  });

  it('an unknown field is refused with its own line', async () => {
    const answer = await putYaml(client, 'own_line', `${busyLine()}colour: red\n`);
    expectError(answer, 400, 'validation_error');
    const [[field, reason]] = Object.entries(answer.body.error.fields) as [[string, string]];
    expect(`${field} ${reason}`).toContain('colour');
    expect(reason).toMatch(/\bline 5\b/);
  });

  it('an error in JSON names the line in the JSON that was sent', async () => {
    const text = JSON.stringify(
      { kind: 'call', summary: 'A line of our own.', timeline: [{ after: '1s', trigger: 'bussy' }] },
      null,
      2,
    );
    const at = text.split('\n').findIndex((line) => line.includes('bussy')) + 1;
    const answer = await client.put('/_sandbox/scenarios/own_line', text, { 'Content-Type': 'application/json' });
    expectError(answer, 400, 'validation_error');
    expect(answer.body.error.fields['timeline.0.trigger']).toMatch(new RegExp(`\\bline ${at}\\b`));
  });

  const talk = (talked: string): string =>
    `${head}timeline:\n  - { after: 1s, trigger: ring }\n  - { after: 1s, trigger: answer }\n  - { after: ${talked}, trigger: complete }\n`;
  const answered = talk('1s');
  const of = (kind: string, base: string): string => `kind: ${kind}\nsummary: S.\nextends: ${base}\n`;
  const empty = `${head}timeline: []\n`;

  it.each([
    ['duration_seconds: -1', '-1 cannot happen: step 3 (complete) leads to 1', answered],
    ['duration_seconds: 99', '99 cannot happen: step 3 (complete) leads to 1', answered],
    ['duration_seconds: null', 'null cannot happen: step 3 (complete) leads to 1', answered],
    ['duration_seconds: 5', '5 cannot happen: step 3 (complete) leads to 2 to 4', talk('2s..4s')],
    ['has_recording: false', 'false cannot happen: step 3 (complete) leads to true', answered],
    ['has_transcript: false', 'false cannot happen: step 3 (complete) leads to true', answered],
    ['has_recording: true', 'true cannot happen: no step changes it from false', talk('0s')],
    ['disconnection_reason: FOO', '"FOO" cannot happen: step 3 (complete) leads to CLIENT_INITIATED', answered],
    ['ended_at: null', 'null cannot happen: step 3 (complete) leads to other values', answered],
    ['ended_at: yesterday', 'must be a time in ISO 8601 form', answered],
    ['started_at: null', 'null cannot happen: no step changes it', answered],
    ['from_number: foo', 'must be a number in E.164 form', answered],
    ['recording_url: hello', 'must be a URL', answered],
    ['recording_url: "https://example.com/a.wav"', 'cannot happen: no step changes it from null', busyLine()],
    ['status: COMPLETED', '"COMPLETED" cannot happen: no step changes it from QUEUED', empty],
    ['ended_at: "2026-01-05T15:00:00.000Z"', 'cannot happen: no step changes it from null', empty],
    ['status: failed', '"failed" cannot happen: step 2 (deliver) leads to delivered', of('sms', 'sms_delivered')],
    ['status: received', 'step 2 (deliver) leads to delivered', of('sms', 'sms_delivered')],
    ['direction: inbound', 'no step changes it from outbound', of('sms', 'sms_delivered')],
    ['provider_id: null', 'step 1 (send) leads to other values', of('sms', 'sms_delivered')],
    ['error_message: null', 'step 2 (fail) leads to The handset could not be reached.', of('sms', 'sms_failed')],
    ['status: canceled', '"canceled" cannot happen: step 1 (start) leads to running', of('job', 'job_runs')],
    ['started_at: null', 'step 1 (start) leads to other values', of('job', 'job_runs')],
    ['rejection_reasons: []', '[] cannot happen: step 1 (reject) leads to [', of('enterprise', 'vetting_rejected')],
    ['reputation: { status: approved }', 'cannot happen: step 1 (reject)', of('enterprise', 'vetting_rejected')],
    ['completed_at: null', 'step 2 (complete) leads to other values', of('remediation', 'refused')],
    ['numbers: []', '[] cannot happen: step 2 (complete)', of('remediation', 'refused')],
    ['numbers: [{ outcome: remediated }]', 'cannot happen: step 2 (complete)', of('remediation', 'refused')],
    ['av_scan_status: infected', 'step 1 (clean) leads to scanned', of('document', 'scan_clean')],
    ['cnam_status: approved', 'step 1 (reject) leads to rejected', of('cnam', 'cnam_rejected')],
    ['is_active: false', 'step 1 (activate) leads to true', of('phone_number', 'provisioned')],
    ['status: VERIFIED', 'no step changes it from PENDING_VERIFICATION', of('caller_id', 'verification_call')],
    ['rejection_reasons: [No.]', 'no step changes it from []', of('texting_registration', 'registration_approved')],
    ['rejection_reasons: []', 'step 1 (reject) leads to [', of('display_identity', 'display_identity_rejected')],
  ])('a record with %s is refused: %s', async (field, says, text) => {
    const answer = await putYaml(client, 'own_line', `${text}expect:\n  record: { ${field} }\n`);
    expectError(answer, 400, 'validation_error');
    expect(Object.values(answer.body.error.fields)).toEqual([expect.stringContaining(says)]);
  });

  it.each([
    ['record: { duration_seconds: 1, ended_at: "2026-01-05T15:00:00.000Z" }', answered],
    ['record: { from_number: "+14155550170", direction: inbound, disconnection_reason: null }', answered],
    ['record: { recording_url: null }', answered],
    ['record: { recording_url: "https://example.com/a.wav" }', answered],
    ['record: { duration_seconds: 2, has_recording: false }', talk('500ms..2s')],
    ['record: { duration_seconds: null, started_at: null }', busyLine()],
    ['statuses: [QUEUED]\n  record: { status: QUEUED, ended_at: null }', empty],
    ['record: { status: completed }', of('job', 'job_runs')],
    ['record: { status: running, ended_at: null }', of('job', 'job_runs')],
    ['record: { direction: outbound, provider_id: prv_7, error_message: null }', of('sms', 'sms_delivered')],
    ['record: { numbers: [{ outcome: remediated, billed_amount_dc: 700 }] }', of('remediation', 'remediated')],
    ['record: { numbers: [{ outcome: refused, billed_amount_dc: 0 }] }', of('remediation', 'refused')],
    ['record: { reputation: { status: approved, check_frequency: weekly } }', of('enterprise', 'vetting_approved')],
  ])('what can happen can be expected: %s', async (expected, text) => {
    const answer = await putYaml(client, 'possible_line', `${text}expect:\n  ${expected}\n`);
    expect(answer.body.error).toBeUndefined();
  });

  it('statuses that no step of the timeline leads to are refused', async () => {
    const text = `${of('job', 'job_runs')}expect: { statuses: [queued, running, canceled] }\n`;
    const { body } = await putYaml(client, 'own_line', text);
    expect(body.error.fields['expect.statuses.2']).toContain('"canceled" cannot happen here');
  });
});
