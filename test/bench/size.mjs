// What calls and worlds weigh on the heap, and whether lists stay as fast as they were when they are long.
import { ask, dialTo, timed, times } from './ask.mjs';
import { figure, median } from './figures.mjs';
import { weighed } from './processes.mjs';

const CALLS = 100_000;
const FEW = 100;
const PAGE = 25;
const WORLDS = 10_000;
const ASKED = 1000;

export const size = async () => [...(await calls()), ...(await worlds())];

async function calls() {
  const sandbox = await weighed({ clock: 'instant', rateLimit: 'off', concurrentCalls: 'off' });
  const { url, heap } = sandbox;
  const dials = (key, count) =>
    times(count, () => ask(url, 'POST', '/v1/calls/dial', { key, ...dialTo('+12125550100') }));
  const page = (key, cursor) => [
    url,
    'GET',
    `/v1/calls?page_size=${PAGE}${cursor ? `&cursor=${cursor}` : ''}`,
    { key },
  ];
  /** The cursor of the page half-way through a list. */
  const middleOf = async (key, count) => {
    let cursor;
    for (let seen = 0; seen < count / 2; seen += 100) {
      const step = Math.min(100, Math.ceil(count / 2));
      const path = `/v1/calls?page_size=${step}${cursor ? `&cursor=${cursor}` : ''}`;
      cursor = (await ask(url, 'GET', path, { key })).meta.cursor;
    }
    return cursor;
  };
  try {
    await dials('svc_test_few', FEW);
    await dials('svc_test_warm', 2000);
    const before = await heap();
    await dials('svc_test_many', CALLS);
    const each = ((await heap()) - before) / CALLS / 1024;
    const newest = (await ask(...page('svc_test_many'))).data;
    if (newest.some(({ status }) => status !== 'COMPLETED')) throw new Error('not all calls have finished');
    const cursors = { few: await middleOf('svc_test_few', FEW), many: await middleOf('svc_test_many', CALLS) };
    const took = { few: [], many: [], fewMiddle: [], manyMiddle: [] };
    for (let n = 0; n < ASKED; n++) {
      for (const size of ['few', 'many']) {
        took[size].push(await timed(...page(`svc_test_${size}`)));
        took[`${size}Middle`].push(await timed(...page(`svc_test_${size}`, cursors[size])));
      }
    }
    const slower = (many, few) => median(took[many]) / median(took[few]);
    const detail = (many, few) =>
      `${median(took[many]).toFixed(2)} ms of ${median(took[few]).toFixed(2)} ms with ${FEW}`;
    return [
      figure('heap of a finished call, its share of the journals included', each, 'KB', { most: 3 }, '100,000 calls'),
      figure('first page of 100,000 calls', slower('many', 'few'), '×', { most: 1.2 }, detail('many', 'few')),
      figure(
        'page in the middle of 100,000 calls',
        slower('manyMiddle', 'fewMiddle'),
        '×',
        { most: 1.2 },
        detail('manyMiddle', 'fewMiddle'),
      ),
    ];
  } finally {
    await sandbox.stop();
  }
}

async function worlds() {
  const sandbox = await weighed({ clock: 'manual', rateLimit: 'off', maxWorlds: WORLDS + 100 });
  const { url, heap } = sandbox;
  try {
    await ask(url, 'GET', '/v1/calls');
    const before = await heap();
    await times(WORLDS, (n) => ask(url, 'POST', '/_sandbox/worlds', { body: { name: `w${n}` } }));
    const each = ((await heap()) - before) / WORLDS / 1024;
    const first = [];
    for (let n = 0; n < ASKED; n++) first.push(await timed(url, 'GET', '/v1/calls', { key: `svc_test_w${n * 10}` }));
    return [
      figure('heap of an untouched world', each, 'KB', { most: 20 }, `${WORLDS} worlds`),
      figure('first request of a world', median(first), 'ms', { most: 5 }, `median of ${ASKED} worlds`),
    ];
  } finally {
    await sandbox.stop();
  }
}
