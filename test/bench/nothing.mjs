// What the hostile bench compares with: a server that reads whatever it is sent and answers the same to everything.
import { createServer } from 'node:http';

const body = JSON.stringify({ call_id: 'call', data: [{ id: 'agent' }] });
const server = createServer((req, res) => {
  req.resume();
  req.on('error', () => {});
  req.on('end', () => res.writeHead(200, { 'Content-Type': 'application/json' }).end(body));
});
server.on('clientError', (_error, socket) => socket.destroy());
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })));
