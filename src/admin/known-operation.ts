// Whether an id is that of an operation of the platform, for requests that are looked for by it.
import { loadContract } from '../contract/document.ts';
import { quote } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';

export function operationProblem(id: string): string | undefined {
  const operations = [...loadContract().operations.keys()];
  if (operations.some((known) => known === id)) return undefined;
  return `${quote(id)} is not an operation of the platform${didYouMean(id, operations)}`;
}
