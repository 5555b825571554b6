// Parses text that may not be a URL.

/**
 * Undefined for a text that is not an absolute URL. `URL.canParse` does not tell: for Latin-1 texts, versions of Node say
 * true of some that the constructor refuses, once the call is optimized.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
