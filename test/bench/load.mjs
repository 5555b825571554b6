// The load: autocannon over 32 connections, in a process of its own. Prints what came of it as JSON.
import autocannon from 'autocannon';

const { url, seconds, method = 'GET', headers = {}, body, connections = 32 } = JSON.parse(process.argv[2]);
const result = await autocannon({ url, method, headers, body, connections, duration: seconds });
const total = result['2xx'] + result.non2xx;
console.log(JSON.stringify({ total, failed: result.non2xx + result.errors, perSecond: total / result.duration }));
