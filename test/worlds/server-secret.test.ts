// `--secret`: what gives access and is made at run time comes from it, else from the seed, or with a control token from
// chance. `interface.md` section 1.
import { readFileSync, statSync } from 'node:fs';
import { decodeJwt, jwtVerify, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secrets } from '../../src/identity/secrets.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts';
import { useRestarts } from '../state/setup.ts';
import { clientOf, expectError } from '../support/client.ts';
import { join, refused } from '../support/rooms.ts';
import { forwardTo } from '../support/sandbox.ts';
import { joinKey, joinUrl, type Session } from '../tokens/setup.ts';

const CONTROL_TOKEN = 'control-token-7f1e';
const SECRET = 'a-secret-that-replicas-share';
const { startServer } = useRestarts();

/** Everything of a server that gives access to something, as far as it is made at run time. */
interface Access {
  readonly apiKey: string;
  readonly clientToken: string;
  readonly recording: string;
  readonly urlToken: string;
  readonly sourceSecret: string;
  readonly code: string;
  readonly session: Session;
}

/** A server, and what gives access to it. */
interface Server {
  readonly sandbox: Sandbox;
  readonly access: Access;
}

/** Starts a server for the tests of the file, by these options. */
function useServer(options: SandboxOptions): Server {
  let running: Server | undefined;
  beforeAll(async () => {
    const sandbox = await createSandbox({ clock: 'manual', ...options });
    running = {
      sandbox,
      access: await accessOf(sandbox, options.controlToken ? CONTROL_TOKEN : 'svc_sandbox_default'),
    };
  });
  afterAll(() => running?.sandbox.close());
  return forwardTo(() => running);
}

async function accessOf(sandbox: Sandbox, controlKey: string): Promise<Access> {
  const client = clientOf(sandbox.url);
  const control = clientOf(sandbox.url, controlKey);
  const data = async (asked: ReturnType<typeof client.get>): Promise<Session> => {
    const { status, body, text } = await asked;
    expect(status, text).toBeLessThan(300);
    return body.data;
  };
  const { api_key } = await data(control.post('/_sandbox/keys', {}));
  const { token } = await data(client.post('/v1/client-tokens', {}));
  const calls = await data(client.get('/v1/calls'));
  const { recording_url } = calls.find((call: Session) => call.recording_url);
  const [source] = await data(control.get('/_sandbox/lead-sources'));
  const { url_token, source_secret } = await data(control.post(`/_sandbox/lead-sources/${source.id}/rotate`, {}));
  const { caller_id_id } = await data(client.post('/v1/caller-ids', { phone_number: '+12125550171' }));
  const { verification_code } = await data(control.get(`/_sandbox/caller-ids/${caller_id_id}/verification-code`));
  const session = await data(client.post('/v1/webrtc-token'));
  return {
    apiKey: api_key,
    clientToken: token,
    recording: new URL(recording_url).pathname,
    urlToken: url_token,
    sourceSecret: source_secret,
    code: verification_code,
    session,
  };
}

/** What must be equal, or must differ. Client tokens have their time in them; their signature is judged elsewhere. */
const values = ({ apiKey, recording, urlToken, sourceSecret, code }: Access): string[] => [
  apiKey,
  recording,
  urlToken,
  sourceSecret,
  code,
];

/** How many of these give access to that server. */
async function accepted({ url }: Sandbox, access: Access): Promise<string[]> {
  const { status: key } = await clientOf(url, access.apiKey).get('/v1/me');
  const { status: token } = await clientOf(url, access.clientToken).get('/v1/me');
  const { status: recording } = await fetch(url + access.recording);
  const lead = { 'X-Source-Secret': access.sourceSecret };
  const { status: source } = await clientOf(url, null).post(`/v1/leads/${access.urlToken}`, { name: 'Ana' }, lead);
  const tried = { key, token, recording, source };
  return Object.entries(tried).flatMap(([name, status]) => (status < 300 ? [name] : []));
}

const one = useServer({ controlToken: CONTROL_TOKEN });
const other = useServer({ controlToken: CONTROL_TOKEN });
const seeded = useServer({});
const sameSeed = useServer({});
const otherSeed = useServer({ seed: 2 });
const secret = useServer({ secret: SECRET });
const replica = useServer({ secret: SECRET, seed: 2, controlToken: CONTROL_TOKEN });

/** Those of a server's values that another one has too. */
const shared = (first: Server, second: Server): string[] =>
  values(first.access).filter((value) => values(second.access).includes(value));

describe('with a control token', () => {
  it('nothing that gives access follows from the seed, or is the same on another server', async () => {
    expect([...shared(one, other), ...shared(one, seeded)]).toEqual([]);
    expect(await accepted(one.sandbox, one.access)).toHaveLength(4);
    expect(await accepted(other.sandbox, one.access)).toEqual([]);
    expect(await accepted(one.sandbox, seeded.access)).toEqual([]);
  });

  it('a client token cannot be signed with what the seed gives', async () => {
    const { sandbox, access } = one;
    const guesses = [
      Secrets.fromSeed(1).key('client tokens'),
      Secrets.from('').key('client tokens'),
      Buffer.from('sandbox_client_secret_for_client_tokens'),
      Buffer.from(CONTROL_TOKEN.padEnd(32, ' ')),
    ];
    for (const key of guesses) {
      const forged = await new SignJWT(decodeJwt(access.clientToken)).setProtectedHeader({ alg: 'HS256' }).sign(key);
      expectError(await clientOf(sandbox.url, forged).get('/v1/me'), 401, 'unauthorized');
    }
    expect((await clientOf(sandbox.url, access.clientToken).get('/v1/me')).status).toBe(200);
  });

  it('a room is not entered with a token signed by the published key', async () => {
    const { session } = one.access;
    await expect(jwtVerify(session.token, joinKey)).rejects.toThrow('signature');
    const forged = await new SignJWT(decodeJwt(session.token)).setProtectedHeader({ alg: 'HS256' }).sign(joinKey);
    expect((await refused(joinUrl({ ...session, token: forged }))).status).toBe(401);
    expect(await join(joinUrl(session))).not.toHaveProperty('status');
  });
});

describe('with a control token, whoever has no more than a key', () => {
  it('makes no key, no world and no lead token, by no credential that the server gives out', async () => {
    const { sandbox, access } = one;
    const credentials = ['svc_sandbox_default', 'svc_sandbox_compliance', access.apiKey, access.clientToken];
    for (const credential of [...credentials, access.session.token, access.sourceSecret, SECRET]) {
      const by = clientOf(sandbox.url, credential);
      expectError(await by.post('/_sandbox/keys', { scopes: ['compliance:write'] }), 401, 'unauthorized');
      expectError(await by.post('/_sandbox/worlds', {}), 401, 'unauthorized');
      expectError(await by.get('/_sandbox/lead-sources'), 401, 'unauthorized');
    }
    expectError(
      await clientOf(sandbox.url, access.apiKey).post('/v1/client-tokens', { scopes: ['compliance:write'] }),
      403,
      'scope_missing',
    );
  });

  it('gets no key of another world with the control key of one', async () => {
    const { sandbox } = one;
    const control = clientOf(sandbox.url, CONTROL_TOKEN);
    const { control_key } = (await control.post('/_sandbox/worlds', { name: 'own' })).body.data;
    const by = clientOf(sandbox.url, control_key);
    expectError(await by.post('/_sandbox/keys', {}, { 'X-Sandbox-World': 'default' }), 403, 'forbidden');
    const { organization_id } = (await control.get('/_sandbox/worlds')).body.data.find(
      (each: { name: string }) => each.name === 'other',
    );
    expectError(await by.post('/_sandbox/keys', { organization_id }), 404, 'not_found');
    const { api_key } = (await by.post('/_sandbox/keys', {})).body.data;
    expect((await clientOf(sandbox.url, api_key).get('/v1/me')).headers['x-sandbox-world']).toBe('own');
  });
});

describe('without a control token', () => {
  it('the same seed gives the same access, another seed another', async () => {
    expect(values(sameSeed.access)).toEqual(values(seeded.access));
    expect(await accepted(sameSeed.sandbox, seeded.access)).toHaveLength(4);
    expect(shared(seeded, otherSeed)).toEqual([]);
    expect(await accepted(otherSeed.sandbox, seeded.access)).toEqual([]);
    await expect(jwtVerify(seeded.access.session.token, joinKey)).resolves.toBeDefined();
  });
});

describe('with a secret', () => {
  const refusalOf = (token: string, { sandbox }: Server) => clientOf(sandbox.url, token).get('/v1/me');

  it('servers that share it make the same and know what the others signed, whatever their seeds, and no other server does', async () => {
    const { apiKey, urlToken, sourceSecret, clientToken } = secret.access;
    expect(replica.access).toMatchObject({ apiKey, urlToken, sourceSecret });
    expect(await accepted(replica.sandbox, secret.access)).toEqual(expect.arrayContaining(['key', 'source']));
    expect((await refusalOf(clientToken, replica)).body.error.message).toContain('The client token is unknown');
    expect((await refusalOf(clientToken, seeded)).body.error.message).toContain('not a client token of this server');
    expect([...shared(secret, seeded), ...shared(replica, otherSeed)]).toEqual([]);
    expect(await accepted(seeded.sandbox, secret.access)).toEqual([]);
    await expect(jwtVerify(secret.access.session.token, joinKey)).rejects.toThrow('signature');
  });

  it('tokens of a world do not open the world of that name after a restart that kept none', async () => {
    const startAgain = () => createSandbox({ clock: 'manual', secret: SECRET, controlToken: CONTROL_TOKEN });
    const first = await startAgain();
    const before = await accessOf(first, CONTROL_TOKEN);
    await first.close();
    const second = await startAgain();
    try {
      const after = await accessOf(second, CONTROL_TOKEN);
      expect(await accepted(second, after)).toHaveLength(4);
      expect(await accepted(second, before)).not.toContain('token');
      expect(after.session.room_name).toBe(before.session.room_name);
      expect((await refused(joinUrl({ ...after.session, token: before.session.token }))).status).toBe(401);
    } finally {
      await second.close();
    }
  });
});

describe('a world that is created again under the same name', () => {
  it('does not accept the keys that its namesake made', async () => {
    const { url } = seeded.sandbox;
    const client = clientOf(url, 'svc_test_again');
    const made = async (): Promise<string> => (await client.post('/_sandbox/keys', {})).body.data.api_key;
    await client.post('/_sandbox/worlds', { name: 'again' });
    const earlier = await made();
    await client.delete('/_sandbox/worlds/again');
    await client.post('/_sandbox/worlds', { name: 'again' });
    expect(await made()).not.toBe(earlier);
    expectError(await clientOf(url, earlier).get('/v1/me'), 401, 'unauthorized');
  });
});

describe('with a control token and --state', () => {
  it('what was made before a restart works after it, because the file, of mode 0600, has the secret', async () => {
    const server = await startServer({ controlToken: CONTROL_TOKEN });
    const before = await accessOf(server.sandbox, CONTROL_TOKEN);
    await server.restart();
    expect(await accepted(server.sandbox, before)).toHaveLength(4);
    expect(statSync(server.file).mode & 0o777).toBe(0o600);
    // A given secret replaces it, and is not written down.
    await server.restart({ secret: SECRET });
    expect(await accepted(server.sandbox, before)).toEqual(['key', 'source']);
    await server.sandbox.close();
    expect(readFileSync(server.file, 'utf8')).not.toContain(SECRET);
    await server.start();
    expect(await accepted(server.sandbox, before)).toHaveLength(4);
  });
});
