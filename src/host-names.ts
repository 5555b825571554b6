// What host names say about where a host is.

/** Whether a name is one of a private network: a single label, or below `.internal`, `.local` or `.localhost`. */
export const isPrivateName = (name: string): boolean =>
  !name.includes('.') || /\.(internal|local|localhost)$/.test(name);

/** The host of a URL, without the brackets of an IPv6 literal and without a trailing dot. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
