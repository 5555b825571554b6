// The traffic of the demonstration: two hours of the world `demo`, played on its clock and drawn from the seed, and a
// campaign that keeps calling. It uses the server's APIs, as any customer does.
import { type ControlClient, createControlClient } from '../client/control-client.ts';
import { createPlatformClient, type PlatformClient } from '../client/platform-client.ts';
import { SandboxError } from '../client/sandbox-error.ts';
import { fraction } from '../identity/seeded.ts';

export const DEMO_WORLD = 'demo';

export interface DemoOptions {
  readonly url: string;
  /** The server's control token; null if it has none. */
  readonly token: string | null;
  readonly seed: number;
}

const OWN_NUMBER = '+14155550190';
/** How many times something happens before the doors open. */
const ROUNDS = 40;
const AREA_CODES = ['212', '310', '312', '415', '617', '646', '702', '818'];
/** The last two digits of numbers with an outcome, as often as the outcome is drawn. */
const OUTCOMES = ['00', '00', '00', '00', '01', '02', '02', '03', '03', '04', '05', '06', '09'];
const TEXTS = [
  'Your technician comes between eight and ten.',
  'We could not reach you. Is tomorrow at ten fine?',
  'Your repair is done. How did we do?',
];
const REPLIES = ['Yes, that works.', 'Could you come in the afternoon?', 'Thank you!'];
/** Made last of all. */
const SNAPSHOT = 'demo';
/** The inbox that fails at first. */
const BILLING = 'billing';
const GONE = '00000000-0000-4000-8000-000000000000';

/** Draws that follow from the seed and their order alone. */
class Draws {
  readonly #seed: number;
  #count = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  next(): number {
    this.#count += 1;
    return fraction(this.#seed, 'demo traffic', this.#count);
  }

  of<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new TypeError('there is nothing to draw from');
    return item;
  }
}

interface Stage {
  readonly control: ControlClient;
  readonly platform: PlatformClient;
  readonly draws: Draws;
}

/**
 * Plays the traffic once, and leaves the clock as it found it and a snapshot, from which the demonstration can be shown
 * anew. What an earlier start has left half-filled is reset first. Throws SandboxError.
 */
export async function playDemo({ url, token, seed }: DemoOptions): Promise<void> {
  const control = createControlClient({ url, world: DEMO_WORLD, ...(token === null ? {} : { token }) });
  if (await isPlayed(control)) return control.close();
  if (await isBegun(control)) await control.call('resetWorld');
  // A demo key may ask too little in a minute.
  const { api_key } = await control.call('createKey', { body: {} });
  const platform = createPlatformClient({ url, key: api_key });
  const stage: Stage = { control, platform, draws: new Draws(seed) };
  try {
    const { mode } = await control.call('getClock');
    await control.call('setClock', { body: { mode: 'manual' } });
    await subscribe(control, url);
    for (let round = 0; round < ROUNDS; round += 1) await playRound(stage, round);
    await control.call('advanceClock', { body: { by: '2m' } });
    await vet(stage, url);
    await leaveRunning(stage);
    await control.call('setClock', { body: { mode } });
    await control.call('createSnapshot', { body: { name: SNAPSHOT } });
  } finally {
    platform.close();
    control.close();
  }
}

/** A world of a state file has its traffic already. */
const isPlayed = async (control: ControlClient): Promise<boolean> =>
  (await control.all('listSnapshots', {})).some(({ name }) => name === SNAPSHOT);

/** The server was stopped while it filled the world. */
const isBegun = async (control: ControlClient): Promise<boolean> =>
  (await control.all('listSubscriptions', {})).some(({ webhook_url }) => webhook_url.includes(`/inbox/${BILLING}`));

/** One receiver that answers, and one that fails at first, and is tried again. */
async function subscribe(control: ControlClient, url: string): Promise<void> {
  const inbox = (name: string): string => `${url}/_sandbox/inbox/${name}?world=${DEMO_WORLD}`;
  // The last one is signed.
  const event_types = [
    'call_completed',
    'call_busy',
    'contact_replied',
    'enterprise.status.updated',
    'number_purchased',
  ] as const;
  await control.call('subscribe', { body: { webhook_url: inbox('crm'), event_types: [...event_types] } });
  await control.call('subscribe', {
    body: { webhook_url: inbox(BILLING), event_types: ['call_completed'], plan: { retries: 'short' } },
  });
  const respond = [500, 503, 200, 200, 500, 200, 500, 500, 500, 500];
  await control.call('scriptInbox', { path: { name: BILLING }, body: { respond } });
}

async function playRound(stage: Stage, round: number): Promise<void> {
  const { control, platform, draws } = stage;
  const other = `+1${draws.of(AREA_CODES)}55501`;
  const drawn = draws.next();
  if (drawn < 0.6) await dial(stage, `${other}${draws.of(OUTCOMES)}`);
  else if (drawn < 0.8) {
    const body = { to_number: `${other}${draws.of(['40', '40', '41', '42'])}`, from_number: OWN_NUMBER };
    await expectedToFail(platform.call('sendMessage', { body: { ...body, body: draws.of(TEXTS) } }));
  } else if (drawn < 0.9) {
    const body = { to_number: OWN_NUMBER, from_number: `${other}80`, body: draws.of(REPLIES) };
    await control.call('simulateInboundSms', { body });
  } else {
    await control.call('simulateInboundCall', { body: { to_number: OWN_NUMBER, from_number: `${other}81` } });
  }
  // What goes wrong belongs to a day too.
  if (round % 10 === 4) await expectedToFail(platform.call('getCall', { path: { id: GONE } }));
  if (round % 10 === 8) await expectedToFail(dial(stage, `${other}11`));
  await control.call('advanceClock', { body: { by: `${20 + Math.floor(draws.next() * 300)}s` } });
}

const dial = ({ platform }: Stage, to_number: string): Promise<unknown> =>
  platform.call('dialCall', { body: { to_number, from_number: OWN_NUMBER } });

/** Lets the platform refuse: that is what is to be seen. */
async function expectedToFail(asked: Promise<unknown>): Promise<void> {
  await asked.catch((error: unknown) => {
    if (!(error instanceof SandboxError) || error.status === null) throw error;
  });
}

/** A sub-entity whose business the carrier still looks at. */
async function vet({ control, platform }: Stage, url: string): Promise<void> {
  const { id } = await platform.call('createSubEntity', { body: { name: 'Meridian Home Services East' } });
  const { api_key } = await control.call('createKey', { body: { organization_id: id } });
  const branch = createPlatformClient({ url, key: api_key });
  const { now } = await control.call('getClock');
  try {
    await branch.call('createEnterprise', {
      body: { legal_name: 'Meridian Home Services East, LLC', ein: '12-3456780' },
    });
    await branch.call('signAndSubmitEnterprise', {
      headers: { 'X-Sandbox-Scenario': 'vetting_slow' },
      body: {
        signer_full_name: 'Kit Ravenscroft',
        signer_email: 'kit@meridian.example',
        signer_title: 'Managing Member',
        consent_acknowledged_at: now,
        confirm_carrier_commit: 'I understand this submits to the carrier',
      },
    });
  } finally {
    branch.close();
  }
}

/** What is still going on when somebody looks: an agent's call, one that rings, and a campaign of an hour. */
async function leaveRunning(stage: Stage): Promise<void> {
  const { control, platform } = stage;
  // One more call whose webhook nobody takes, however often it is sent.
  await control.call('scriptInbox', { path: { name: BILLING }, body: { respond: [500, 500, 500, 500, 200] } });
  await expectedToFail(dial(stage, '+16175550101'));
  await control.call('advanceClock', { body: { by: '2m' } });
  await platform.call('createPhoneNumber', { body: { area_code: '312', name: 'Chicago' } });
  const [agent] = await platform.all('listAgents');
  if (!agent) throw new TypeError('the world has no agent');
  await platform.call('createCall', { body: { agent_id: agent.id, to_number: '+13125550108' } });
  await control.call('advanceClock', { body: { by: '20s' } });
  const to_numbers = AREA_CODES.flatMap((area) => [...new Set(OUTCOMES)].map((outcome) => `+1${area}55501${outcome}`));
  await platform.call('createJob', {
    body: { name: 'Spring campaign', agent_id: agent.id, to_numbers, concurrency: 2 },
  });
  await dial(stage, '+16465550107');
}
