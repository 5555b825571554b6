// The Letter of Authorization as a PDF: `spec.md` "When enterprise registration […] is required". The same letter always
// has the same bytes; the id inside the file is derived from the document's.
import { pdfkit } from '../../lazy-modules.ts';

/** The contents of a letter. */
export interface Letter {
  readonly document_id: string;
  /** When it was written, in milliseconds. */
  readonly at: number;
  readonly legal_name: string;
  /** The other details of the enterprise by name, in the order in which they are printed. */
  readonly details: Readonly<Record<string, string | null>>;
  /** Null for a letter that is signed elsewhere. */
  readonly signer: Signer | null;
}

export interface Signer {
  readonly full_name: string;
  readonly title: string;
  readonly email: string;
  /** When the signer agreed, as the request states it. */
  readonly consent_acknowledged_at: string;
}

export type LetterWriter = (letter: Letter) => Buffer;

const MARGIN = 72;
/** To be filled in by hand. */
const BLANK = '_'.repeat(40);

const authorization = [
  'authorizes the Voice Platform to act on its behalf towards carriers and their analytics providers: to register the',
  'enterprise, to monitor the reputation of its telephone numbers and dispute labels attached to them, and to have its',
  'name, logo and call reason shown to the parties that it calls. It confirms that it is entitled to use the telephone',
  'numbers of its account and that what this letter says about it is true.',
].join(' ');

/** Loads the PDF library, which only these requests need, and returns a function that writes letters with it. */
export async function letterWriter(): Promise<LetterWriter> {
  const PDFDocument = pdfkit();
  return ({ document_id, at, legal_name, details, signer }) => {
    const pdf = new PDFDocument({
      size: 'LETTER',
      margin: MARGIN,
      // The library derives the file's id from these. They are Unicode, so names need no replacement here.
      info: {
        Title: wellFormed(`Letter of Authorization: ${legal_name}`),
        Author: wellFormed(signer?.full_name ?? legal_name),
        Subject: document_id,
        CreationDate: new Date(at),
      },
    });
    const heading = (text: string): unknown => pdf.moveDown().font('Helvetica-Bold').fontSize(11).text(printable(text));
    const line = (text: string): unknown => pdf.font('Helvetica').fontSize(11).text(printable(text));
    pdf.font('Helvetica-Bold').fontSize(18).text('Letter of Authorization');
    heading('Enterprise');
    line(`Legal name: ${legal_name}`);
    for (const [name, value] of Object.entries(details)) if (value) line(`${labelOf(name)}: ${value}`);
    heading('Authorization');
    line(`${legal_name} ${authorization}`);
    heading('Signature');
    line(`Name: ${signer?.full_name ?? BLANK}`);
    line(`Title: ${signer?.title ?? BLANK}`);
    line(`E-mail: ${signer?.email ?? BLANK}`);
    line(`Date: ${signer ? new Date(at).toISOString().slice(0, 10) : BLANK}`);
    if (signer) line(`Signed electronically; consent acknowledged at ${signer.consent_acknowledged_at}`);
    pdf.moveDown().fontSize(8).text(`Document ${document_id}`);
    pdf.end();
    return Buffer.concat(chunksOf(pdf));
  };
}

/** The library writes synchronously: after `end`, all chunks can be read at once. */
function chunksOf(pdf: { read(): unknown }): Buffer[] {
  const chunks: Buffer[] = [];
  for (let chunk = pdf.read(); chunk instanceof Buffer; chunk = pdf.read()) chunks.push(chunk);
  return chunks;
}

/** Without lone surrogates, which cannot be encoded. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** `street_address` as a label: "Street address". */
function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').replace('ein', 'EIN').replace('dba', 'Doing business as');
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

/** The characters of the fonts that every PDF reader has: the printable part of Windows-1252. */
const inFonts = /^[ -~\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]+$/u;

/** Replaces what the fonts lack: accented letters by plain ones, and characters of other scripts by question marks. */
function printable(text: string): string {
  return [...text.normalize('NFC')]
    .map((letter) => {
      if (inFonts.test(letter)) return letter;
      const bare = letter.normalize('NFD').replace(/\p{M}/gu, '');
      return inFonts.test(bare) ? bare : '?';
    })
    .join('');
}
