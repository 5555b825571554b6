// A receiver of webhooks that counts and answers 200; `GET /` says how many have come. With `refuses`, every other one
// gets 503.
import { createServer } from 'node:http';

const { refuses = false } = JSON.parse(process.argv[2] ?? '{}');
let count = 0;
const server = createServer((req, res) => {
  if (req.method === 'GET') return res.end(String(count));
  req.resume().on('end', () => {
    count += 1;
    res.statusCode = refuses && count % 2 === 1 ? 503 : 200;
    res.end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })));
