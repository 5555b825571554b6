// Control keys: with a control token, each created world has one, and it controls that world alone. `interface.md`
// section 5.
import { randomBytes } from 'node:crypto';

const PREFIX = 'svc_control_';

/** Random, unlike everything else here: who knows the seed must not control the world. */
export const newControlKey = (): string => `${PREFIX}${randomBytes(24).toString('hex')}`;

export const isControlKey = (text: string): boolean => text.startsWith(PREFIX);
