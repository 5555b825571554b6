// Runs cases of the ledger: each in a world with the default and in one with the other value, both open at once.
import { describe, expect, it } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';
import { type Case, namedIn, violationsIn, worldWith } from './setup.ts';

export function describeCases(subject: string, cases: readonly Case[]): void {
  describe(`the assumptions about ${subject}`, () => {
    const { sandbox } = useSandbox({ clock: 'manual' });

    it.each(cases.map((each) => [each.name, each.value, each] as const))(
      '%s: a client sees the default, and %j where it is set',
      async (name, value, { act, usual, other, unnamed }) => {
        const unset = await worldWith(sandbox, {});
        const set = await worldWith(sandbox, { [name]: value });
        expect(await act(set, sandbox.url), `${name}: ${value}`).toEqual(other);
        expect(await act(unset, sandbox.url), `${name} by default`).toEqual(usual);
        for (const client of [unset, set]) expect(await violationsIn(client), client.key).toEqual([]);
        if (unnamed) return;
        for (const client of [unset, set]) expect([...(await namedIn(client))], client.key).toContain(name);
      },
    );
  });
}
