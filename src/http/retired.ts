// Former endpoints of the platform, which `spec.md` "Versioning" has removed: they are unavailable, whatever the method
// and the key. The contract lists them under `x-retired`.
import type { Contract } from '../contract/document.ts';
import { ApiError } from '../errors/api-error.ts';

/** Answers the refusal that a path deserves where it is retired. */
export function createRetired({ document }: Contract): (path: string) => ApiError | undefined {
  const { paths } = document['x-retired'] as { paths: string[] };
  const forms = paths.map((path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`));
  return (path) => {
    if (!forms.some((form) => form.test(path))) return undefined;
    return new ApiError('not_found', {
      message: `${path.slice(0, 200)} is retired and unavailable.`,
      hint: 'Jobs under /v1/jobs replace workflows.',
      assumption: 'retired_status',
    });
  };
}
