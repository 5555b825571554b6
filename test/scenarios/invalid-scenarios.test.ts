// Scenarios of a world that are refused: each error names the field and the line of the YAML or JSON that was sent.
import { describe, expect, it } from 'vitest';
import { expectError } from '../support/client.ts';
import { broken, head } from './invalid-scenarios.ts';
import { busyLine, putYaml, useScenarios } from './setup.ts';

const { client } = useScenarios();

describe('an invalid scenario of a world', () => {
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
