// How often the scenarios of worlds are read: each text once, whatever other worlds do.
import { describe, expect, it } from 'vitest';
import { ScenarioLibrary } from '../../src/scenarios/library.ts';
import { definitionOf } from '../../src/store/tables.ts';

type Overlay = Parameters<ScenarioLibrary['forWorld']>[0][number];

const overlay = (id: string, more = ''): Overlay => ({
  id,
  source: `kind: call\nsummary: A line.\nextends: busy\n${more}`,
  private: { organization_id: 'org', rank: 0 },
});

describe('the scenarios of a world', () => {
  const own = [overlay('base'), overlay('child')];
  const made = (library: ScenarioLibrary, overlays: readonly Overlay[]) =>
    overlays.map(({ id }) => library.forWorld(overlays).get(id));

  it('are made once, also when others come before them or go', () => {
    const library = new ScenarioLibrary();
    const [base, child] = made(library, own);
    const [, ...rest] = made(library, [overlay('another'), ...own]);
    expect(rest[0]).toBe(base);
    expect(rest[1]).toBe(child);
  });

  it('are made once, also when other worlds have read more than the cache of texts keeps', () => {
    const library = new ScenarioLibrary();
    const [base, child] = made(library, own);
    for (let n = 0; n < 80; n++) library.forWorld([overlay('wide', `# ${n} ${'x'.repeat(60_000)}\n`)]);
    const [, ...rest] = made(library, [overlay('another'), ...own]);
    expect(rest[0]).toBe(base);
    expect(rest[1]).toBe(child);
  });

  it('are made anew when what they extend has changed', () => {
    const library = new ScenarioLibrary();
    const child: Overlay = { ...overlay('child'), source: 'kind: call\nsummary: A child.\nextends: base\n' };
    const before = library.forWorld([overlay('base'), child]).get('child');
    const after = library.forWorld([overlay('base', 'parameters: { ring: 9s }\n'), child]).get('child');
    expect(before?.parameters).not.toMatchObject({ ring: '9s' });
    expect(after?.parameters).toMatchObject({ ring: '9s' });
  });

  it('count against the memory of the server as what is read from their text', () => {
    const { size } = definitionOf('scenario_overlays');
    const sizeOf = (characters: number): number => size?.(overlay('wide', `#${'x'.repeat(characters)}`)) ?? 0;
    expect(sizeOf(10_000) - sizeOf(0)).toBeGreaterThanOrEqual(9 * 10_000);
  });
});
