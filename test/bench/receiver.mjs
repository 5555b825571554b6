// A receiver of webhooks that counts and answers 200; `GET /` says how many have come.
import { createServer } from 'node:http';

let count = 0;
const server = createServer((req, res) => {
  if (req.method === 'GET') return res.end(String(count));
  req.resume().on('end', () => {
    count += 1;
    res.end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })));
