// Every tool, in the order in which an agent reads them.
import type { Tool } from '../tool.ts';
import { callTools } from './calls.ts';
import { clockTools } from './clock.ts';
import { deliveryTools } from './deliveries.ts';
import { journalTools } from './journal.ts';
import { scenarioTools } from './scenarios.ts';
import { worldTools } from './worlds.ts';

export const tools: readonly Tool[] = [
  ...worldTools,
  ...scenarioTools,
  ...callTools,
  ...clockTools,
  ...journalTools,
  ...deliveryTools,
];
