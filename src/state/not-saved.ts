// The error of a stop that could not save the last changes: the state file, and the reason.

export class StateNotSaved extends Error {
  constructor(file: string, reason: string) {
    super(`${file}: the last changes could not be saved, and are lost: ${reason}`);
  }
}
