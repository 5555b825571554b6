// The client library throws at some replies that no Redis sends, such as a null that nobody has asked for, and has the process
// take that for an uncaught error, which ends it. Here such a reply breaks the connection off, as one does that cannot be read.
import dataHandler from 'ioredis/built/DataHandler.js';

interface Handler {
  returnFatalError(error: unknown): void;
}

export function breakOffAtOddReplies(): void {
  Reflect.set(dataHandler.default.prototype, 'dispatch', function dispatch(this: Handler, handle: () => void): void {
    try {
      handle();
    } catch (error) {
      this.returnFatalError(error);
    }
  });
}
