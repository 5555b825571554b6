// Where in the sources something happens, as a stack trace tells it. Tests run the sources compiled, or in watch mode as
// they are.

/** The file and line of each frame that is in the sources, the innermost first. */
export function sourcePlaces(stack: string): string[] {
  return [...stack.matchAll(/\/(?:src|\.compiled)\/([\w./-]+\.[jt]s:\d+)/g)].map(([, place = '']) => place);
}
