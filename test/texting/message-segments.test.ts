// The encoding and segments of texts (assumption message_segments): GSM 03.38 with its septets, and UCS-2; on messages
// that are sent, received, or part of a fixture.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataOf } from '../support/caller-trust.ts';
import { clientOf } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { MESSAGES, text } from '../support/texting.ts';
import { runs } from '../support/thorough.ts';

const { sandbox, client } = useSandbox({ clock: 'manual', rateLimit: 'off' });

/** The encoding and segments of a text that is sent, as `GSM-7 2`. */
async function split(body: string): Promise<string> {
  const { encoding, segments } = dataOf(await text(client, { body }), 202);
  return `${encoding} ${segments}`;
}

const segmentsOf = async (body: string): Promise<number> => Number((await split(body)).split(' ')[1]);

const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const extension = '\f^{}\\[~]|€';

describe('the encoding of a text', () => {
  it('is GSM-7 for all 127 characters of the basic table, one septet each', async () => {
    expect([...basic]).toHaveLength(127);
    expect(await split(basic)).toBe('GSM-7 1');
    expect(await split(basic + 'x'.repeat(33))).toBe('GSM-7 1');
    expect(await split(basic + 'x'.repeat(34))).toBe('GSM-7 2');
  });

  it.each([...extension])('is GSM-7 for %j of the extension table, two septets each', async (character) => {
    expect(await split(`x${character.repeat(79)}x`)).toBe('GSM-7 1');
    expect(await split(`x${character.repeat(80)}`)).toBe('GSM-7 2');
  });

  it.each(['`', 'ç', 'á', '’', '–', '\t', '\u00a0', '\u001b', 'Я', '字', '😀', '\ud83d'])(
    'is UCS-2 as soon as the text has one %j',
    async (character) => {
      expect(await split('x'.repeat(69 - (character.length - 1)) + character)).toBe('UCS-2 1');
      expect(await split('x'.repeat(70 - (character.length - 1)) + character)).toBe('UCS-2 2');
    },
  );
});

describe('the segments of a text', () => {
  it.each([
    ['x', 160, 'GSM-7 1'],
    ['x', 161, 'GSM-7 2'],
    ['x', 306, 'GSM-7 2'],
    ['x', 307, 'GSM-7 3'],
    ['x', 1600, 'GSM-7 11'],
    // 76 in each segment: the 153rd septet is unused.
    ['€', 152, 'GSM-7 2'],
    ['€', 153, 'GSM-7 3'],
    ['€', 1600, 'GSM-7 22'],
    ['Я', 70, 'UCS-2 1'],
    ['Я', 71, 'UCS-2 2'],
    ['Я', 134, 'UCS-2 2'],
    ['Я', 135, 'UCS-2 3'],
    ['Я', 1600, 'UCS-2 24'],
    ['😀', 35, 'UCS-2 1'],
    // 33 in each segment: the 67th code unit is unused.
    ['😀', 66, 'UCS-2 2'],
    ['😀', 67, 'UCS-2 3'],
    ['😀', 1600, 'UCS-2 49'],
  ])('with %s repeated %i times are %s', async (character, times, expected) => {
    expect(await split(character.repeat(times))).toBe(expected);
  });

  it('are one more if a two-unit character would cross a boundary', async () => {
    expect(await split(`${'x'.repeat(151)}€${'x'.repeat(153)}`)).toBe('GSM-7 2');
    expect(await split(`${'x'.repeat(152)}€${'x'.repeat(152)}`)).toBe('GSM-7 3');
    expect(await split(`${'Я'.repeat(65)}😀${'Я'.repeat(67)}`)).toBe('UCS-2 2');
    expect(await split(`${'Я'.repeat(66)}😀${'Я'.repeat(66)}`)).toBe('UCS-2 3');
  });

  /** Random texts of at least that length, about half of the characters from the extension table. */
  const textOf = (minLength: number): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom(...'xyz@é\n.', ...extension), minLength, maxLength: 700, size: 'max' });
  const units = (each: string): number => (extension.includes(each) ? 2 : 1);

  it('are as few as possible with at most one unused septet each', async () => {
    const check = fc.asyncProperty(textOf(0), async (words) => {
      const septets = [...`.${words}`].reduce((sum, each) => sum + units(each), 0);
      const segments = await segmentsOf(`.${words}`);
      if (septets <= 160) return segments === 1;
      return segments >= Math.ceil(septets / 153) && segments <= Math.ceil(septets / 152);
    });
    await fc.assert(check, { numRuns: runs(20, 100) });
  });

  it('add up for two joined texts, or are one less than the sum', async () => {
    const check = fc.asyncProperty(textOf(161), textOf(161), async (left, right) => {
      const [a, b, whole] = [await segmentsOf(left), await segmentsOf(right), await segmentsOf(left + right)];
      return whole === a + b || whole === a + b - 1;
    });
    await fc.assert(check, { numRuns: runs(10, 50) });
  });
});

describe('encoding and segments', () => {
  it('are on inbound messages, by id and in the list', async () => {
    const answer = await client.post('/_sandbox/simulate/inbound-sms', { body: '€'.repeat(81) });
    const message = dataOf(answer, 201);
    expect(message).toMatchObject({ encoding: 'GSM-7', segments: 2 });
    expect(dataOf(await client.get(`${MESSAGES}/${message.id}`))).toEqual(message);
    expect(dataOf(await client.get(MESSAGES))[0]).toEqual(message);
  });

  it('are on the messages of the world demo', async () => {
    const past = dataOf(await clientOf(sandbox.url, 'svc_sandbox_demo').get(MESSAGES));
    expect(past.length).toBeGreaterThan(3);
    for (const message of past) expect(message).toMatchObject({ encoding: 'GSM-7', segments: 1 });
  });
});
