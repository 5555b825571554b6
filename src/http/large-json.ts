// Large JSON bodies, such as a document of 20 MiB in base64. The file in one is decoded in turns with the background
// work of all worlds; the rest of the text is no larger than any other body, and is parsed like one.
import { isJsonObject } from '../contract/json.ts';
import type { Files } from '../engine/operation.ts';
import { ApiError } from '../errors/api-error.ts';
import { newSecret } from '../identity/secrets.ts';
import type { FileContent } from '../stored-bytes.ts';
import { BODY_LIMIT, type BodyTurns, notJson, parseJson } from './body.ts';
import { decodeFile, findLongStrings, type LongString, NoEnd, shorten, TooMuchBeside } from './long-strings.ts';

/** Stands for a long string in the text that is left, followed by its number. No client can know it. */
const MARK = `\u0000${newSecret()} `;
/** The same as JSON has it. */
const WRITTEN_MARK = `\\u0000${MARK.slice(1)}`;
/** Stands for a file that is not base64, which the contract refuses. */
const NO_BASE64 = '?';

export interface LargeJson {
  /** With short texts in the place of long ones: of a file, the hash of its content, which is valid base64. */
  readonly json: unknown;
  readonly files: Files;
}

/** Throws `validation_error` for malformed JSON, and `payload_too_large` if more than BODY_LIMIT is beside long strings. */
export async function readLargeJson(
  bytes: Buffer,
  fileFields: readonly string[],
  { turns, world }: BodyTurns,
): Promise<LargeJson> {
  try {
    const long = await turns.workThrough(world, findLongStrings(bytes, BODY_LIMIT));
    const { text, placeOf } = shortened(bytes, long);
    const json = parseJson(text, placeOf);
    const inFiles = fileFields.map((name) => (isJsonObject(json) ? numberOf(json[name]) : undefined));
    const files = new Map<string, FileContent>();
    const short: string[] = [];
    for (const [number, string] of long.entries()) {
      if (!inFiles.includes(number)) {
        short.push(await turns.workThrough(world, shorten(bytes, string)));
        continue;
      }
      const file = await turns.workThrough(world, decodeFile(bytes, string));
      if (file) files.set(file.sha256, file);
      short.push(file?.sha256 ?? NO_BASE64);
    }
    return { json: withoutMarks(json, short), files };
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof NoEnd) return notJson('it ends too early');
  if (error instanceof SyntaxError) return notJson('one of its strings cannot be parsed');
  if (!(error instanceof TooMuchBeside)) return error;
  return new ApiError('payload_too_large', {
    message: `The body is larger than ${BODY_LIMIT} bytes beside its document.`,
    hint: `Send at most ${BODY_LIMIT} bytes beside \`content_base64\`.`,
    assumption: 'body_limits',
  });
}

/** The text with marks in the place of its long strings, and where in the whole a position of it is. */
function shortened(bytes: Buffer, long: readonly LongString[]) {
  const parts: Buffer[] = [];
  /** By long string: where the text goes on after its mark, and after itself in the whole. */
  const after: { readonly here: number; readonly there: number }[] = [];
  let here = 0;
  let copied = 0;
  for (const [number, { start, end }] of long.entries()) {
    const mark = Buffer.from(`${WRITTEN_MARK}${number}`);
    parts.push(bytes.subarray(copied, start), mark);
    here += start - copied + mark.length;
    copied = end;
    after.push({ here, there: end });
  }
  const text = Buffer.concat([...parts, bytes.subarray(copied)]);
  const placeOf = (position: number): number => {
    const last = after.findLast((each) => each.here <= position);
    return last ? position - last.here + last.there : position;
  };
  return { text, placeOf };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'string' && value.startsWith(MARK) ? Number(value.slice(MARK.length)) : undefined;
}

function withoutMarks(value: unknown, short: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutMarks(each, short));
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutMarks(each, short)]));
  }
  const number = numberOf(value);
  return number === undefined ? value : short[number];
}
