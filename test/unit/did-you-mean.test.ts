// Suggestions for misspelled names and paths.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { didYouMean, didYouMeanPath } from '../../src/errors/did-you-mean.ts';

const names = ['answered', 'busy', 'voicemail', 'no_answer', 'sms_reply'];

describe('a suggestion', () => {
  it.each([
    ['bussy', 'busy'],
    ['Busy', 'busy'],
    ['voice_mail', 'voicemail'],
    ['noanswer', 'no_answer'],
    ['answred', 'answered'],
    ['bsuy', 'busy'],
  ])('names the allowed value that %s is a misspelling of', (given, meant) => {
    expect(didYouMean(given, names)).toBe(`; did you mean ${meant}?`);
  });

  it.each(['nope', 'call', 'x', '', 'ringing_forever', 'a'.repeat(101)])('is not made for %j', (given) => {
    expect(didYouMean(given, names)).toBe('');
  });

  it('is not made when nothing is allowed', () => {
    expect(didYouMean('busy', [])).toBe('');
  });

  it.each([
    ['APP_PROT', '; did you mean APP_PORT?'],
    ['app_stores', '; did you mean APP_STORE?'],
    ['APP_TOKEN', ''],
    ['APP_X', ''],
  ])('does not count a prefix that the names share: %s', (given, suggestion) => {
    expect(didYouMean(given, ['APP_PORT', 'APP_STORE', 'APP_LOG'], 'APP_')).toBe(suggestion);
  });

  it('is always one of the allowed values, whatever was given', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string({ minLength: 1 })), (given, allowed) => {
        const found = /^; did you mean (.*)\?$/s.exec(didYouMean(given, allowed))?.[1];
        if (found !== undefined) expect(allowed).toContain(found);
      }),
    );
  });
});

describe('a suggestion of a path', () => {
  const templates = ['/v1/calls', '/v1/calls/{id}', '/v1/calls/{id}/transcript', '/v1/agents'];

  it('keeps what was given for a parameter', () => {
    expect(didYouMeanPath('/v1/calls/abc/transcrpt', templates)).toBe('; did you mean /v1/calls/abc/transcript?');
  });

  it('is found without the slashes at the end, and at once in a row of them', () => {
    expect(didYouMeanPath('/v1/calls//', templates)).toBe('; did you mean /v1/calls?');
    // A search from each slash of the row would take minutes.
    expect(didYouMeanPath(`/v1/${'/'.repeat(1_000_000)}x`, templates)).toBe('');
  });

  it('is not made for a path with another number of segments', () => {
    expect(didYouMeanPath('/v1/calls/abc/def/transcript', templates)).toBe('');
  });
});
