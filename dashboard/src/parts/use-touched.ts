// Counts up whenever messages of the stream are about one of these ids, or anything may have happened.
import { useRef } from 'preact/hooks';
import type { Feed } from '../state/feed.ts';

export function useTouched(feed: Feed, ids: ReadonlySet<string>): number {
  const count = useRef(0);
  const seen = useRef<ReadonlySet<string> | null>(null);
  const touched = feed.touched.value;
  if (seen.current !== touched) {
    seen.current = touched;
    if ([...ids].some((id) => touched.has(id))) count.current += 1;
  }
  return count.current + feed.samples.value;
}
