// Control keys: with a control token, each created world has one, and it controls that world alone. `interface.md`
// section 5.
import { newSecret } from './secrets.ts';

const PREFIX = 'svc_control_';

export const newControlKey = (): string => PREFIX + newSecret();

export const isControlKey = (text: string): boolean => text.startsWith(PREFIX);
