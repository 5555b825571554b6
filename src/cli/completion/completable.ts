// What a completion script knows of a command.

/** A command as a shell completes it. */
export interface Completable {
  /** The names of the commands that lead to it, such as `clock advance`; empty for the program. */
  readonly path: readonly string[];
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly flags: readonly CompletableFlag[];
  /** Whether its arguments are files, or a command to run. */
  readonly takes: 'files' | 'command' | null;
}

export interface CompletableFlag {
  readonly name: string;
  readonly summary: string;
  /** Whether a value follows it, and whether that is a file. */
  readonly value: 'file' | 'other' | null;
}
