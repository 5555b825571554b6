// A customer's receiver as a process of its own, which knows nothing of the sandbox but the specification's chapter on
// signatures: it checks number-lifecycle deliveries over the bytes as they came, and wants no signature on the others.
// Prints the port it took; GET /log tells what it accepted and refused.
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
