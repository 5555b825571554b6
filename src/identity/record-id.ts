// The id by which a client names a record. UUIDs are case-insensitive (RFC 9562) and stored in lower case; any other id
// is taken literally.

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const recordId = (given: string): string => (uuidForm.test(given) ? given.toLowerCase() : given);
