// A customer's receiver as a process, written from the specification's chapter on signatures only: it verifies
// number-lifecycle deliveries over the raw bytes, and rejects a signature on any other. Prints its port; GET returns a log
// of what it accepted and rejected.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.argv[2] ?? '';
const log = [];

function accepts(raw, signature) {
  const { triggerEvent } = JSON.parse(raw.toString('utf8'));
  if (triggerEvent === undefined) return signature === undefined;
  const expected = Buffer.from(createHmac('sha256', secret).update(raw).digest('hex'), 'latin1');
  const given = Buffer.from(signature ?? '', 'latin1');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const server = createServer((req, res) => {
  if (req.method === 'GET') return res.end(JSON.stringify(log));
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    const raw = Buffer.concat(chunks);
    const accepted = accepts(raw, req.headers['x-service-signature-256']);
    log.push({ accepted, signature: req.headers['x-service-signature-256'] ?? null, raw: raw.toString('utf8') });
    res.writeHead(accepted ? 204 : 401).end();
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
