// Former endpoints of the platform, which `spec.md` "Versioning" removed: unavailable whatever the method or key. The
// contract lists them under `x-retired`.
import type { Contract } from '../contract/document.ts';
import { ApiError } from '../errors/api-error.ts';

/** Returns the error for a retired path, undefined for any other. */
export function createRetiredPaths({ document }: Contract): (path: string) => ApiError | undefined {
  const forms = retiredPaths(document['x-retired']).map((path) => {
    return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
  });
  return (path) => {
    if (!forms.some((form) => form.test(path))) return undefined;
    return new ApiError('not_found', {
      message: `${path.slice(0, 200)} is retired and unavailable.`,
      hint: 'Use jobs (/v1/jobs) instead of workflows.',
      assumption: 'retired_status',
    });
  };
}

function retiredPaths(retired: unknown): string[] {
  if (typeof retired === 'object' && retired !== null && 'paths' in retired && Array.isArray(retired.paths)) {
    return retired.paths.map(String);
  }
  throw new Error('openapi.yaml: x-retired needs paths');
}
