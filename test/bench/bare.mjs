// The baseline: bare node:http that reads a body, parses it as JSON where there is one, and answers given bytes.
import { createServer } from 'node:http';

const { status, headers, body } = JSON.parse(process.argv[2]);
const server = createServer((req, res) => {
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString());
    res.writeHead(status, headers);
    res.end(body);
  });
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })));
