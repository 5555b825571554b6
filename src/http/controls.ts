// What happens to a request beyond the platform's behavior: by its control headers, and by the faults of its world.
import type { SynchronousCode } from '../errors/catalogue.ts';
import type { AppliedFault, Drift, RawAnswer } from '../model.ts';
import { type ControlHeaders, noControlHeaders } from './control-headers.ts';

/** Comes in place of what the platform answers. */
export type Substitute = { readonly error: SynchronousCode } | { readonly respond: RawAnswer };

export interface Controls extends ControlHeaders {
  /** What only faults of the world do; null if the request met none. */
  readonly faults: {
    readonly applied: readonly AppliedFault[];
    /** Whether the substitute is the answer before the request has any effect. */
    readonly before: boolean;
    readonly substitute: Substitute | null;
    readonly drift: readonly Drift[];
  } | null;
}

export const noControls: Controls = { ...noControlHeaders, faults: null };
