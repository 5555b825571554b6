// Options of ajv for validators that must compile quickly.

/**
 * For schemas that are compiled while requests wait: without ajv's pass over its own code, which takes a third of the time
 * and makes that code no faster.
 */
export const quickToCompile = { optimize: false } as const;
