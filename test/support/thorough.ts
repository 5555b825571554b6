// What `npm run test:all` adds to `npm test`: tests that are long by nature, and more runs of those made from random cases.

/** Whether the long tests run too. */
export const thorough = process.env.TEST_ALL === 'true';

/** How often a property is tried: `few` times by `npm test`, `many` times by `npm run test:all`. */
export const runs = (few: number, many: number): number => (thorough ? many : few);
