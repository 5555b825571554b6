// The id that a client names a record by. UUIDs are equal whatever the case of their digits (RFC 9562), and are kept in
// lower case; any other id is taken as it is.

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const recordId = (given: string): string => (uuidForm.test(given) ? given.toLowerCase() : given);
