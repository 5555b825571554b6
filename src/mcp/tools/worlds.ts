// Tools about the sandbox itself: where it is, and its worlds.
import { defineTool, type Tool } from '../tool.ts';

export const worldTools: readonly Tool[] = [
  defineTool({
    name: 'describe_sandbox',
    title: 'Describe the sandbox',
    description:
      'Tells where the application under test sends its requests and with which API key, and how the clock of the world runs.',
    reads: true,
    input: {},
    async run(session, { world }) {
      const { url } = session;
      return {
        base_url: url,
        api_key: session.keyOf(world),
        clock: await session.control(world).call('getClock'),
        contract: `${url}/openapi.yaml`,
        errors: `${url}/docs/errors`,
        ...(session.isOwn ? { lifetime: 'It belongs to this session and ends with it.' } : {}),
      };
    },
  }),
  defineTool({
    name: 'reset_world',
    title: 'Reset the world',
    description: 'Empties the world to its fixture: records, subscriptions, journals, active scenarios, faults.',
    reads: false,
    input: {},
    async run(session, { world }) {
      await session.control(world).call('resetWorld');
      return 'The world is as it was at its start.';
    },
  }),
];
