// Tools that report what happened: timelines, events, requests, coverage.
import { z } from 'zod';
import { eventTypes } from '../../events/catalogue.ts';
import { defineTool, limit, type Tool } from '../tool.ts';

export const journalTools: readonly Tool[] = [
  defineTool({
    name: 'read_timeline',
    title: 'Read a timeline',
    description:
      'Tells what happened to a call or any other record, or what a request caused: requests, steps, events and deliveries in order, and why this scenario was played.',
    reads: true,
    input: {
      subject_id: z.string().min(1).describe('The id of the call, message, job or other record, or of a request.'),
      format: z.enum(['text', 'mermaid', 'json']).default('text').describe('`text` is the shortest.'),
    },
    async run(session, { subject_id, format, world }) {
      const control = session.control(world);
      if (format === 'json') return control.call('getTimeline', { query: { subject_id } });
      return control.text('getTimeline', { query: { subject_id, format } });
    },
  }),
  defineTool({
    name: 'list_events',
    title: 'List events',
    description: 'Lists events that were emitted, the newest first.',
    reads: true,
    input: {
      event_type: z.enum(eventTypes).optional().describe('Only those of this type.'),
      subject_id: z.string().optional().describe('Only those about this record.'),
      limit,
    },
    async run(session, { world, limit, ...query }) {
      const page = await session.control(world).page('listEvents', { query: { ...query, page_size: limit } });
      return { total: page.meta.total_results, events: page.data };
    },
  }),
  defineTool({
    name: 'list_requests',
    title: 'List requests',
    description: 'Lists the requests that the application sent to the platform, the newest first.',
    reads: true,
    input: {
      operation: z.string().optional().describe('Only those of an operation, such as `dialCall`.'),
      method: z.string().optional().describe('Only those with this method.'),
      path: z.string().optional().describe('Only those with this path, without the query.'),
      status: z.int().optional().describe('Only those that were answered with this status.'),
      limit,
    },
    async run(session, { world, limit, ...query }) {
      const page = await session.control(world).page('listRequests', { query: { ...query, page_size: limit } });
      const requests = page.data.map(({ id, at, method, path, operation, status, error_code }) => {
        const code = error_code === null ? '' : ` ${error_code}`;
        return `${id} ${at} ${method} ${path} → ${status}${code}${operation === null ? '' : ` (${operation})`}`;
      });
      return { total: page.meta.total_results, requests };
    },
  }),
  defineTool({
    name: 'show_request',
    title: 'Show a request',
    description: 'Shows a request and its answer: headers, bodies, and which scenario it played.',
    reads: true,
    input: { id: z.string().min(1).describe('The id of the request, as list_requests shows it.') },
    run: (session, { id, world }) => session.control(world).call('getRequest', { path: { id } }),
  }),
  defineTool({
    name: 'verify_requests',
    title: 'Verify requests',
    description: 'Checks how many requests of the application match, and shows what those differ in that nearly do.',
    reads: true,
    input: {
      operation: z.string().optional().describe('The id of the operation, such as `dialCall`.'),
      method: z.string().optional().describe('The method.'),
      path: z.string().optional().describe('The path: `*` for any text without a slash, `**` for any text.'),
      body: z.record(z.string(), z.unknown()).optional().describe('What the JSON body contains.'),
      headers: z.record(z.string(), z.string()).optional().describe('The headers.'),
      exactly: z.int().min(0).optional().describe('How many must match.'),
      at_least: z.int().min(0).optional().describe('The fewest that must match; 1 if no number is given.'),
      at_most: z.int().min(0).optional().describe('The most that may match.'),
    },
    run(session, { world, exactly, at_least, at_most, ...given }) {
      const match = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      return session.control(world).call('verifyRequests', { body: { match, exactly, at_least, at_most } });
    },
  }),
  defineTool({
    name: 'read_coverage',
    title: 'Read coverage',
    description:
      'Tells which operations, error codes, event types and outcomes the tests of this world have met, and which not.',
    reads: true,
    input: { worlds: z.string().optional().describe('Adds up the worlds whose names match, such as `ci-*`.') },
    run: (session, { worlds, world }) =>
      session.control(world).text('getCoverage', { query: { worlds, format: 'text' } }),
  }),
];
