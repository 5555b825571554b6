// Loaded before a server (`--import`): the DNS server that it asks never answers.
import { promises } from 'node:dns';

const { Resolver } = promises;
const silenced = new WeakSet();
for (const name of ['resolve4', 'resolve6']) {
  const ask = Resolver.prototype[name];
  Resolver.prototype[name] = function (...question) {
    if (!silenced.has(this)) this.setServers([process.env.SILENT_DNS]);
    silenced.add(this);
    return ask.apply(this, question);
  };
}
