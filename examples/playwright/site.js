// A page with a "Call me" button, and the backend behind it.
import { createServer } from 'node:http';

const page = `<!doctype html>
<title>Harbor Street Dental</title>
<label>Your number <input id="number"></label>
<button>Call me</button>
<p role="status">We call you back.</p>
<script>
  const status = document.querySelector('[role=status]');
  document.querySelector('button').onclick = async () => {
    status.textContent = 'Calling …';
    const number = document.querySelector('#number').value;
    const response = await fetch('/calls', { method: 'POST', body: JSON.stringify({ number }) });
    const call = await response.json();
    if (!response.ok) return void (status.textContent = 'We cannot call this number.');
    new EventSource('/calls/' + call.id).onmessage = ({ data }) => (status.textContent = data);
  };
</script>`;

const texts = { COMPLETED: 'Thank you for your time.', BUSY: 'Your line is busy. Try again?' };

/** Serves the site on a free port; `webhook` is where it wants to hear of calls that have ended. */
export async function startSite(apiUrl, apiKey) {
  const watching = new Map();
  const server = createServer(async (req, res) => {
    if (req.method === 'GET' && req.url === '/') {
      res.setHeader('Content-Type', 'text/html; charset=utf-8').end(page);
    } else if (req.method === 'POST' && req.url === '/calls') {
      const { number } = await jsonOf(req);
      const response = await fetch(`${apiUrl}/v1/calls/dial`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ from_number: '+14155550190', to_number: number }),
      });
      const { call_id } = await response.json();
      res.writeHead(response.ok ? 201 : 422).end(JSON.stringify({ id: call_id }));
    } else if (req.method === 'GET' && req.url.startsWith('/calls/')) {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
      watching.set(req.url.slice('/calls/'.length), res);
    } else if (req.method === 'POST' && req.url === '/webhook') {
      const { id, status } = await jsonOf(req);
      watching.get(id)?.write(`data: ${texts[status] ?? 'We did not reach you.'}\n\n`);
      res.end();
    } else {
      res.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  return {
    url,
    webhook: `${url}/webhook`,
    isWatched: () => watching.size > 0,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function jsonOf(req) {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
