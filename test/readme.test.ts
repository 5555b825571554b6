// The README is held to what it describes: its tables to the catalogues, its map to the folders, its dependencies to
// the manifest. `npm run generate` writes what is made from the catalogues.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { createSandbox, destinationFor } from '../src/index.ts';
import { clientOf } from './support/client.ts';
import { numbersModule, readmeTables, timeZoneTable, withTables } from './support/generated-docs.ts';
import { freePort } from './support/program.ts';

const readme = (): string => readFileSync('README.md', 'utf8');
const numbersFile = 'src/scenarios/numbers.ts';
const timeZoneFile = 'src/domain/numbers/time-zones.json';

if (process.env.GENERATE === 'write') {
  writeFileSync('README.md', withTables(readme()));
  writeFileSync(numbersFile, numbersModule());
  writeFileSync(timeZoneFile, timeZoneTable());
}

describe('the README', () => {
  it('has the tables that the catalogues make', () => {
    expect(readme() === withTables(readme()), 'run npm run generate').toBe(true);
    for (const name of Object.keys(readmeTables)) expect(readme()).toContain(`made from the catalogues: ${name} -->`);
  });

  it('and the changelog are whole: no merge was left half done in them', () => {
    for (const file of ['README.md', 'CHANGELOG.md']) {
      expect(readFileSync(file, 'utf8'), file).not.toMatch(/^(<{7}|={7}|>{7})/m);
    }
  });

  it('maps every room of the house, and none that is not there', () => {
    const map = readme().split('## Map of the house')[1]?.split('\n## ')[0] ?? '';
    const rooms = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of rooms) expect(map, name).toContain(`src/${name}/`);
    for (const [, path] of map.matchAll(/`(src\/[\w./-]+|openapi\.yaml|test\/[\w./-]+)`/g)) {
      expect(existsSync(path as string), path).toBe(true);
    }
  });

  it('says why each dependency is there, and names none that is not', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
    const section = readme().split('## Dependencies')[1]?.split('\nFor development')[0] ?? '';
    const named = [...section.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell]) => (cell as string).split(', '));
    expect(named.filter((name) => name !== 'package' && !name.startsWith('---')).sort()).toEqual(
      Object.keys(manifest.dependencies).sort(),
    );
    const forDevelopment = /\nFor development: ([^.]*)\./.exec(readme())?.[1] ?? '';
    expect([...forDevelopment.matchAll(/`([^`]+)`/g)].map(([, name]) => name).sort()).toEqual(
      Object.keys(manifest.devDependencies).sort(),
    );
  });

  it('shows lines that do what they are said to: the calls succeed, and the receiver gets its webhook', async () => {
    const sandbox = await createSandbox({ webhookHttp: 'private' });
    const port = await freePort();
    const lines = [...readme().matchAll(/```sh\n([\s\S]*?)```/g)]
      .flatMap(([, block]) => (block as string).replaceAll('\\\n', ' ').split('\n'))
      .map((line) => line.replace('8080', String(port)));
    const receiver = spawn('bash', ['-c', `exec ${lines.find((line) => line.startsWith('node -e'))}`]);
    let received = '';
    receiver.stdout.on('data', (text) => {
      received += text;
    });
    try {
      await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/`), { timeout: 10_000 });
      const curls = lines.filter((line) => line.startsWith('curl'));
      expect(curls.length).toBeGreaterThan(8);
      let callId = '';
      for (const line of curls) {
        const url = /http:\/\/127\.0\.0\.1:4747(\S*)/.exec(line)?.[1]?.replace('$call_id', callId) as string;
        const headers = Object.fromEntries(
          [...line.matchAll(/-H '([\w-]+): ([^']*)'/g)].map(([, name, value]) => [name, value]),
        );
        const body = / -d '([^']*)'/.exec(line)?.[1];
        const method = / -X (\w+)/.exec(line)?.[1] ?? (body === undefined ? 'GET' : 'POST');
        const client = clientOf(sandbox.url, null);
        const answer =
          body === undefined
            ? await client.get(url, headers)
            : await client[method.toLowerCase() as 'post' | 'put'](url, body, headers);
        expect(answer.status, `${line}\n${answer.text}`).toBeLessThan(300);
        callId = answer.body.call_id ?? callId;
        if (url === '/_sandbox/deliveries') {
          expect(answer.body.data.map(({ status }: { status: string }) => status)).toEqual(['delivered']);
          expect(received).toBe(answer.body.data[0].body);
        }
        if (url.startsWith('/v1/calls/') && body === undefined) {
          const polled = async () => (await client.get(url, headers)).body.data;
          await vi.waitFor(async () => expect(await polled()).toMatchObject({ status: 'BUSY', failure_code: 'busy' }), {
            timeout: 5000,
            interval: 100,
          });
        }
      }
      expect(received).toContain('"failure_code":"busy"');
    } finally {
      receiver.kill();
      await sandbox.close();
    }
  });
});

describe('the constants of magic numbers', () => {
  it('are what the scenario files claim', () => {
    expect(readFileSync(numbersFile, 'utf8') === numbersModule(), 'run npm run generate').toBe(true);
  });

  it('have a table of time zones beside them that is what the numbering data says', () => {
    expect(readFileSync(timeZoneFile, 'utf8') === timeZoneTable(), 'run npm run generate').toBe(true);
  });

  it('make destinations in any area code', () => {
    expect(destinationFor('busy')).toBe('+12125550101');
    expect(destinationFor('voicemail', '905')).toBe('+19055550103');
    expect(() => destinationFor('busy', '1')).toThrow('"1" is no area code');
  });
});
