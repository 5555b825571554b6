// A client of the stream: counts the messages that it is sent, and says how many when it is asked. Reads the metrics once a
// second meanwhile.
import WebSocket from 'ws';

const { url, headers } = JSON.parse(process.argv[2]);
const client = new WebSocket(`${url.replace('http', 'ws')}/_sandbox/stream`, { headers });
let count = 0;
client.on('message', () => {
  count += 1;
});
client.on('close', (code, reason) => {
  console.error(`the stream was closed: ${code} ${reason}`);
  process.exit(1);
});
setInterval(async () => {
  const answer = await fetch(`${url}/_sandbox/metrics`);
  if (!answer.ok) throw new Error(`metrics: ${answer.status}`);
  await answer.text();
}, 1000);
process.on('message', () => process.send({ count }));
process.on('disconnect', () => process.exit(0));
