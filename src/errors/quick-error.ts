// Errors without a stack, for what is expected to go wrong: recording one takes longer than most requests, and nobody reads
// that of an answer.

export class QuickError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
