// What `npm run mutants` changes, by area, and the tests that must notice: those about it and no others, so that a mutant
// takes a second or two. What other tests would notice does not count.

/** @type {Record<string, { mutate: string[], tests: string[], withoutServer?: boolean }>} */
export const areas = {
  signing: {
    mutate: ['src/webhooks/sign.ts', 'src/webhooks/check-signature.ts'],
    tests: ['webhooks/signature', 'webhooks/verify-signature', 'webhooks/inbox'],
  },
  'rate-limit': {
    mutate: ['src/http/rate-limit.ts'],
    tests: ['unit/rate-limit', 'http/rate-limit', 'http/rate-window'],
  },
  idempotency: {
    mutate: ['src/engine/idempotency.ts'],
    tests: ['unit/idempotency', 'http/idempotency-replays', 'http/idempotency-effects'],
  },
  'fan-out': {
    mutate: ['src/webhooks/fan-out.ts', 'src/webhooks/ordered-groups.ts'],
    tests: ['unit/fan-out', 'unit/ordered-groups', 'webhooks/fan-out', 'webhooks/order', 'webhooks/equal-bodies'],
  },
  plans: {
    mutate: ['src/webhooks/plan-form.ts', 'src/webhooks/plans.ts', 'src/webhooks/held-deliveries.ts'],
    tests: [
      'unit/delivery-plans',
      'unit/held-deliveries',
      'unit/long-plan-changes',
      'webhooks/plans',
      'webhooks/plan-effects',
      'webhooks/retries',
    ],
  },
  lifecycles: {
    mutate: ['src/lifecycles/*.ts'],
    // Most of it is tables, which are read once, so every test runs for every mutant: only those without a server.
    tests: [
      'unit/lifecycles',
      'unit/lifecycle-records',
      'unit/lifecycle-variants',
      'unit/transitions',
      'unit/expected-records',
    ],
    withoutServer: true,
  },
  scheduler: {
    mutate: ['src/scheduler/*.ts'],
    tests: [
      'unit/scheduler',
      'unit/scheduler-limits',
      'unit/scheduler-failures',
      'unit/recording',
      'unit/alarms',
      'unit/turns',
      'unit/fairness',
    ],
    withoutServer: true,
  },
};

/**
 * Mutants that no test can notice, by file: the line that is changed, what becomes of the changed part, and why nothing
 * follows from it.
 * @type {Record<string, { line: string, replacement: string, why: string }[]>}
 */
export const equivalents = {
  'src/lifecycles/call.ts': [
    {
      line: 'set: (call, context) => ({ ...completed.set?.(call, context), private: { ...call.private, hung_up: true } }),',
      replacement: 'completed.set(call, context)',
      why: 'it has one; the question mark is for the compiler',
    },
  ],
  'src/lifecycles/enterprise.ts': [
    {
      line: "['carrier-1', 'carrier-2'].map((carrier_enterprise_id) => ({",
      replacement: '""',
      why: 'any two ids say that the request decides',
    },
  ],
  'src/lifecycles/job-contact.ts': [
    {
      line: 'schemas: [],',
      replacement: '["Stryker was here"]',
      why: 'no scenario plays it, so no file names its fields',
    },
  ],
  'src/lifecycles/lifecycle.ts': [
    {
      line: 'return row && Object.hasOwn(row, trigger) ? row[trigger]?.to : undefined;',
      replacement: 'row[trigger].to',
      why: 'what a row has is never undefined',
    },
  ],
  'src/lifecycles/message.ts': [
    {
      line: "['prv_1', 'prv_2'].map((provider_id) => ({",
      replacement: '""',
      why: 'any two ids say that the request decides',
    },
  ],
  'src/lifecycles/phone-number.ts': [
    {
      line: 'export function spamRiskAt({ private: { spam_risk, risk_changes = [] } }: PhoneNumber, at: number): SpamRisk {',
      replacement: '["Stryker was here"]',
      why: 'a text has no instant that could have come',
    },
  ],
  'src/lifecycles/remediation-outcomes.ts': [
    {
      line: "return outcome !== null && isBilled[outcome] ? assumed(assumptions, 'billed_amount') : 0;",
      replacement: 'true',
      why: 'no outcome is called null',
    },
  ],
  'src/lifecycles/remediation.ts': [
    {
      line: "numbers: Array.from({ length }, () => ({ phone_number: '', outcome: null, billed_amount_dc: 0 })),",
      replacement: '"Stryker was here!"',
      why: 'the numbers are left out of what is shown',
    },
  ],
  'src/scheduler/turns.ts': [
    {
      line: 'this.#given += 1;',
      replacement: 'this.#given -= 1',
      why: 'every fourth number is a multiple of four in either direction',
    },
  ],
  'src/http/rate-limit.ts': [
    {
      line: "for (const window of tx.page('rate_windows', 'all', 'all', { limit: 2 })) {",
      replacement: '""',
      why: 'the index `all` holds every record, whatever value it is asked for',
    },
  ],
};
