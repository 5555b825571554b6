// The path of an inbox, the only one of the server's own address that webhooks reach.

const PREFIX = '/_sandbox/inbox/';

export const isInboxName = (name: string): boolean => /^[\w-]{1,64}$/.test(name);

export const pathOfInbox = (name: string): string => PREFIX + name;

/** Whether a path as it is sent leads to an inbox. Nothing in it is encoded, so the server routes the same path. */
export const isInboxPath = (path: string): boolean => path.startsWith(PREFIX) && isInboxName(path.slice(PREFIX.length));
