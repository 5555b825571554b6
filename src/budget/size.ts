// Sizes of memory as text: `512mb`, `1gb`, or a number of bytes. Units are powers of 1024, as `docker run --memory` and
// `--max-old-space-size` count them.

const units: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };

/** The bytes; undefined for text that is not a size. */
export function parseSize(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,15}(?:\.\d{1,3})?) ?([kmgt]?)(?:i?b)?$/i.exec(text) ?? [];
  const factor = units[unit.toLowerCase()];
  return digits === '' || factor === undefined ? undefined : Math.floor(Number(digits) * factor);
}

/** In the largest unit that leaves a number of at least 1, such as `1.5 MB`. */
export function formatSize(bytes: number): string {
  const names = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const power = bytes < 1 ? 0 : Math.min(names.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Math.round((bytes / 1024 ** power) * 10) / 10} ${names[power]}`;
}
