// What a completion script needs to know about a command.

/** A command as a shell completes it. */
export interface Completable {
  /** The names of the commands that lead to it, such as `clock advance`; empty for the program. */
  readonly path: readonly string[];
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly flags: readonly CompletableFlag[];
  /** What its arguments can be, as far as that is known. */
  readonly values: readonly string[];
  /** Whether its arguments are files, or a command to run. */
  readonly takes: 'files' | 'command' | null;
}

export interface CompletableFlag {
  readonly name: string;
  readonly summary: string;
  /** Whether a value follows it, and whether that is a file. */
  readonly value: 'file' | 'other' | null;
  /** What the value can be, as far as that is known. */
  readonly values: readonly string[];
  /** Whether commas may join several of them. */
  readonly isList: boolean;
}

/** Flags whose values are known, with the command that they belong to; those with the same values together. */
export interface ValuesOfFlags {
  readonly flags: readonly { readonly path: string; readonly name: string }[];
  readonly values: readonly string[];
  readonly isList: boolean;
}

export function valuesOfFlags(commands: readonly Completable[]): ValuesOfFlags[] {
  const groups = new Map<string, ValuesOfFlags>();
  for (const { path, flags } of commands) {
    for (const { name, values, isList } of flags) {
      if (values.length === 0) continue;
      const key = `${isList} ${values.join(' ')}`;
      const same = groups.get(key)?.flags ?? [];
      groups.set(key, { flags: [...same, { path: path.join(' '), name }], values, isList });
    }
  }
  return [...groups.values()];
}
