// Loaded before a server (`--import`): its DNS server is one that never answers.
import { setServers } from 'node:dns';

setServers([process.env.SILENT_DNS]);
