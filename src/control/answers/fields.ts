// Fields that several answers share, and resources of the platform, which the contract describes.
import { z } from 'zod';
import type { Schemas } from '../../contract/document.ts';

/** A resource of the platform: the document has the contract's schema of that name. */
export const resource = <Name extends keyof Schemas>(name: Name): z.ZodType<Schemas[Name]> =>
  z.custom<Schemas[Name]>().meta({ component: name });

export const instant = z.iso.datetime().describe("An instant of the world's time.");
export const nullableInstant = instant.nullable();
export const count = z.int().min(0);
export const cause = z
  .string()
  .nullable()
  .describe('The id of the journal entry that caused it, or the control operation, such as `emitEvent`.');

export const PageMeta = z
  .strictObject({
    cursor: z.string().nullable().describe('The `cursor` of the next page; null on the last one.'),
    total_results: count.describe('The entries of all pages.'),
    page_size: count.describe('The most entries that a page can have.'),
  })
  .describe('Which page of a list this is.');

export const JournalMeta = z
  .strictObject({
    ...PageMeta.shape,
    dropped: count.describe('The entries that the journal no longer keeps.'),
  })
  .describe('Which page of a journal this is.');

export const Subject = z
  .strictObject({
    table: z.string().describe('The kind of record, such as `calls`.'),
    id: z.string().describe('The id of the record.'),
  })
  .describe('The record that something is about.');
