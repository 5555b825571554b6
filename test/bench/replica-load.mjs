// Dials on several servers at once, over 32 connections each: by each server in the worlds that are its own, or in all.
// Prints as JSON how many in all and a second, and how many failed. On sockets as they are: autocannon takes as much of the
// processor for a dial as Redis does, and the servers are to have it.
import { connect } from 'node:net';

const { urls, worlds, isSticky, seconds, connections = 32 } = JSON.parse(process.argv[2]);
const body = JSON.stringify({ from_number: '+14155550190', to_number: '+12125550100' });
const HEAD_END = Buffer.from('\r\n\r\n');
const STATUS_AT = 'HTTP/1.1 '.length;
const LENGTH = /^content-length: (\d+)/im;

const requestIn = (world) =>
  Buffer.from(
    `POST /v1/calls/dial HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer svc_test_${world}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );

/** Every connection in an order of its own: else all would be in one world at a time. */
function shuffled(list) {
  const left = [...list];
  return list.map(() => left.splice(Math.floor(Math.random() * left.length), 1)[0]);
}

/** The status of a response and where it ends; undefined as long as it has not all come. */
function responseIn(bytes) {
  const head = bytes.indexOf(HEAD_END);
  if (head < 0) return undefined;
  const length = LENGTH.exec(bytes.latin1Slice(0, head))?.[1];
  if (length === undefined) throw new Error('a response has no length');
  const end = head + HEAD_END.length + Number(length);
  return bytes.length < end ? undefined : { isGood: bytes[STATUS_AT] === '2'.charCodeAt(0), end };
}

/** One connection, which sends its next dial when the one before is answered. */
function dials(url, requests, until) {
  const { hostname, port } = new URL(url);
  const counts = { total: 0, failed: 0 };
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let sent = 0;
    let bytes = Buffer.alloc(0);
    const send = () => {
      socket.write(requests[sent % requests.length]);
      sent += 1;
    };
    socket.on('connect', send).on('error', reject);
    socket.on('data', (chunk) => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      const response = responseIn(bytes);
      if (!response) return;
      bytes = bytes.subarray(response.end);
      counts[response.isGood ? 'total' : 'failed'] += 1;
      if (performance.now() < until) return send();
      socket.destroy();
      resolve(counts);
    });
  });
}

const began = performance.now();
const until = began + seconds * 1000;
const counts = await Promise.all(
  urls.flatMap((url, n) => {
    const served = worlds.filter((_, world) => !isSticky || world % urls.length === n).map(requestIn);
    return Array.from({ length: connections }, () => dials(url, shuffled(served), until));
  }),
);
const sum = (name) => counts.reduce((all, each) => all + each[name], 0);
const perSecond = (sum('total') * 1000) / (performance.now() - began);
console.log(JSON.stringify({ total: sum('total'), failed: sum('failed'), perSecond }));
