// What stands where there is nothing to show: because it is being read, because there is none, or because it failed.
import type { ComponentChildren } from 'preact';
import { SandboxError } from '../../../src/client/sandbox-error.ts';

export const Loading = ({ what }: { readonly what: string }) => (
  <div class="state" role="status">
    <span class="spinner" aria-hidden="true" />
    <p>Reading {what}…</p>
  </div>
);

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

export const Empty = ({ title, children }: EmptyProps) => (
  <div class="state">
    <p class="state-title">{title}</p>
    {children && <p class="state-text">{children}</p>}
  </div>
);

interface FailureProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

export function Failure({ error, onRetry }: FailureProps) {
  const reason = error instanceof Error ? error.message : String(error);
  const hint = error instanceof SandboxError && error.hint !== null && !reason.includes(error.hint) ? error.hint : null;
  return (
    <div class="state" role="alert">
      <p class="state-title">That did not work</p>
      <p class="state-text">{reason}</p>
      {hint && <p class="state-text">{hint}</p>}
      {onRetry && (
        <button type="button" class="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
