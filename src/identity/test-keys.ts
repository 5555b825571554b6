// Test keys, `svc_test_<world>` and `svc_test_<world>.<anything>`, and which names a world may have. `interface.md`
// section 2.
import { ownText } from '../own-text.ts';

const MAX_WORLD = 64;
const MAX_REST = 512;

/** Completes "must be …". */
export const worldNameForm = `1 to ${MAX_WORLD} of A-Z, a-z, 0-9, _ and -`;
export const worldNamePattern = `^[A-Za-z0-9_-]{1,${MAX_WORLD}}$`;

/** The name under which a world is stored: case does not count. Undefined for text that cannot be a world's name. */
export function readWorldName(text: string): string | undefined {
  return worldProblem(text) === undefined ? ownText(text.toLowerCase()) : undefined;
}

/** Completes "this one …"; undefined for a valid name. */
function worldProblem(text: string): string | undefined {
  if (text === '') return 'names no world';
  const stranger = /[^A-Za-z0-9_-]/.exec(text);
  if (stranger) return `has ${describeCharacter(stranger[0])} in its world`;
  return text.length > MAX_WORLD ? `has a world of ${text.length} characters` : undefined;
}

/** Never more than one character of a key is repeated. */
function describeCharacter(character: string): string {
  if (character === ' ') return 'a space';
  return /[\x21-\x7e]/.test(character) ? `the character ${character}` : 'a character that is not visible ASCII';
}

export const testKeyOf = (world: string): string => `svc_test_${world}`;

const PREFIX = testKeyOf('');

/** The world of a test key, or what is wrong with it. Undefined for a key that does not begin like one. */
export function readTestKey(key: string): { readonly world: string } | { readonly problem: string } | undefined {
  if (!key.startsWith(PREFIX)) {
    return key.toLowerCase().startsWith(PREFIX) ? { problem: messageAbout(`has ${PREFIX} in capitals`) } : undefined;
  }
  const dot = key.indexOf('.', PREFIX.length);
  const world = dot < 0 ? key.slice(PREFIX.length) : key.slice(PREFIX.length, dot);
  const problem = worldProblem(world) ?? (dot < 0 ? undefined : restProblem(key.slice(dot + 1)));
  return problem === undefined ? { world: ownText(world.toLowerCase()) } : { problem: messageAbout(problem) };
}

function restProblem(rest: string): string | undefined {
  const stranger = /[^\x21-\x7e]/.exec(rest);
  if (stranger) return `has ${describeCharacter(stranger[0])} after its dot`;
  return rest.length > MAX_REST ? `has ${rest.length} characters after its dot` : undefined;
}

const messageAbout = (problem: string): string =>
  `A test key is svc_test_<world> or svc_test_<world>.<anything>: a world is ${worldNameForm}, and <anything> is at most ` +
  `${MAX_REST} visible ASCII characters. This one ${problem}.`;
