// Answers of the routes of calls.
import { z } from 'zod';
import { resource } from './fields.ts';

export const WatchedCall = z
  .strictObject({
    call: resource('Call').describe('The call, as the platform shows it to a key that may see everything.'),
    scenario: z.string().nullable().describe('The name of the scenario that it plays; null for a call of the fixture.'),
    choices: z
      .array(z.string())
      .describe('What the person who watches can choose now, by the scenario; empty if it goes on by itself.'),
  })
  .describe('A call, and what it plays.');

export const WatchedCallDetail = z
  .strictObject({
    ...WatchedCall.shape,
    transcript: resource('CallTranscript')
      .nullable()
      .describe('What was said; null if there is no transcript, or the content policy hides it.'),
  })
  .describe('A call, what it plays, and what was said.');
