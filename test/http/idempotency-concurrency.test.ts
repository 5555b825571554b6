// Concurrent requests under one idempotency key have one effect: the assumption `idempotency`.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { isReplay, useIdempotency } from './idempotency-setup.ts';

const { dial, countCalls, eventTypes, expectOneCall } = useIdempotency();

describe('concurrent requests under one key', () => {
  it('200 identical dials are one call, one new_call and 200 equal responses', async () => {
    const key = randomUUID();
    const before = await countCalls();
    const answers = await Promise.all(Array.from({ length: 200 }, () => dial(key)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(202);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(await eventTypes()).toEqual(['new_call']);
    await expectOneCall(answers[0]?.body.call_id, before);
  });

  it('100 dials with 100 bodies are one success and 99 conflicts', async () => {
    const key = randomUUID();
    const before = await countCalls();
    const answers = await Promise.all(Array.from({ length: 100 }, (_, note) => dial(key, { note })));
    const codes = answers.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`.trim()).sort();
    expect(codes).toEqual(['202', ...Array<string>(99).fill('409 idempotency_conflict')]);
    const success = answers.find(({ status }) => status === 202);
    expect(isReplay(success as Answer)).toBe(false);
    await expectOneCall(success?.body.call_id, before);
    expect(await eventTypes()).toEqual(['new_call']);
  });

  it('a repeat waits for the first request, delayed or not', async () => {
    const key = randomUUID();
    const [first, repeat] = await Promise.all([dial(key, {}, { headers: { 'X-Sandbox-Delay': '150ms' } }), dial(key)]);
    expect(first?.text).toBe(repeat?.text);
    expect([first, repeat].filter((answer) => isReplay(answer as Answer))).toHaveLength(1);
    expect(await eventTypes()).toEqual(['new_call']);
  });

  it('a failure and its repeats leave exactly one success', async () => {
    const key = randomUUID();
    const flaky = { to_number: '+13125550135' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => dial(key, flaky)));
    expect(answers.filter(({ status }) => status === 502)).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(18);
    expect(answers.filter((answer) => answer.status === 202 && !isReplay(answer))).toHaveLength(1);
    expect(await eventTypes()).toEqual(['new_call']);
  });
});
