// Bodies for events that are emitted by hand when the world has no record for them: the examples of the contract, as
// if they happened to this organization at the event's instant.
import { eventExamples } from '../contract/document.ts';
import type { EventType } from './catalogue.ts';

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** A body that such an event could have; `at` is the event's instant as a timestamp. */
export function sampleOf(type: EventType, organization: string, at: string): object {
  return JSON.parse(JSON.stringify(eventExamples().get(type)), (key, value) => {
    if (key === 'organization_id') return organization;
    return typeof value === 'string' && TIMESTAMP.test(value) ? at : value;
  });
}
