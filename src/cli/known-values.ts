// Flags and arguments whose values are known: what a shell completes for them.
import { Argument, Option } from 'commander';

/** A function is called by completion alone. */
type Known = readonly string[] | (() => readonly string[]);

/** A parser of values; `known` are those that it takes, or some of them, and `isList` says that commas may join them. */
export interface ValueParser<Value = unknown> {
  (text: string): Value;
  readonly known?: Known;
  readonly isList?: boolean;
}

export class FlagOfKnown extends Option {
  readonly known: Known;
  readonly isList: boolean;

  constructor(flags: string, help: string, { known = [], isList = false }: ValueParser) {
    super(flags, help);
    this.known = known;
    this.isList = isList;
  }
}

export class ArgumentOfKnown extends Argument {
  readonly known: Known;

  constructor(name: string, help: string, known: Known) {
    super(name, help);
    this.known = known;
  }
}

/** Empty for those whose values are not known. */
export function knownValues(of: Option | Argument): readonly string[] {
  if (!(of instanceof FlagOfKnown || of instanceof ArgumentOfKnown)) return [];
  return typeof of.known === 'function' ? of.known() : of.known;
}
