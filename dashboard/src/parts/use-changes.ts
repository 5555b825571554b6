// What a page has read, and reading it again after it has changed something.
import { useState } from 'preact/hooks';
import { sayError } from '../state/current.ts';

interface Changes {
  /** Counts the changes: what is read with it is read again. */
  readonly revision: number;
  readonly isChanging: boolean;
  /** Runs a change and returns whether it succeeded; a failure is shown. */
  change(run: () => Promise<unknown>): Promise<boolean>;
}

export function useChanges(): Changes {
  const [revision, setRevision] = useState(0);
  const [isChanging, setChanging] = useState(false);
  async function change(run: () => Promise<unknown>): Promise<boolean> {
    setChanging(true);
    try {
      await run();
      return true;
    } catch (error) {
      sayError(error);
      return false;
    } finally {
      setChanging(false);
      setRevision((count) => count + 1);
    }
  }
  return { revision, isChanging, change };
}
