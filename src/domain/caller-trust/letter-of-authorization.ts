// The Letter of Authorization as a PDF: `spec.md` "When enterprise registration […] is required". Its bytes follow from
// what it is told alone; the file's own id follows from the document's.

/** What a letter says. */
export interface Letter {
  readonly document_id: string;
  /** When it was made, in milliseconds. */
  readonly at: number;
  readonly legal_name: string;
  /** What else is known of the enterprise, by name, in the order in which it is printed. */
  readonly details: Readonly<Record<string, string | null>>;
  /** Null for a letter that is to be signed elsewhere. */
  readonly signer: Signer | null;
}

export interface Signer {
  readonly full_name: string;
  readonly title: string;
  readonly email: string;
  /** When the signer agreed, as the request says it. */
  readonly consent_acknowledged_at: string;
}

export type LetterWriter = (letter: Letter) => Buffer;

const MARGIN = 72;
const LINE = '_'.repeat(40);

const authorization = [
  'authorizes the Voice Platform to act on its behalf towards carriers and their analytics providers: to register the',
  'enterprise, to monitor the reputation of its telephone numbers and dispute labels attached to them, and to have its',
  'name, logo and call reason shown to the parties that it calls. It confirms that it is entitled to use the telephone',
  'numbers of its account and that what this letter says about it is true.',
].join(' ');

/** Loads the library and writes a letter to nobody, which is what makes the first one slow. */
export async function warmLetters(): Promise<void> {
  const write = await letterWriter();
  write({ document_id: '', at: 0, legal_name: '', details: {}, signer: null });
}

/** Loads the PDF library, which the first request of a server need not wait for; answers what writes letters with it. */
export async function letterWriter(): Promise<LetterWriter> {
  const { default: PDFDocument } = await import('pdfkit');
  return ({ document_id, at, legal_name, details, signer }) => {
    const pdf = new PDFDocument({
      size: 'LETTER',
      margin: MARGIN,
      // The library makes the file's id from these. They are Unicode, so names stand here as they were given.
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
    line(`Name: ${signer?.full_name ?? LINE}`);
    line(`Title: ${signer?.title ?? LINE}`);
    line(`E-mail: ${signer?.email ?? LINE}`);
    line(`Date: ${signer ? new Date(at).toISOString().slice(0, 10) : LINE}`);
    if (signer) line(`Signed electronically; consent acknowledged at ${signer.consent_acknowledged_at}`);
    pdf.moveDown().fontSize(8).text(`Document ${document_id}`);
    pdf.end();
    return Buffer.concat(chunksOf(pdf));
  };
}

/** The library writes as it is told to and has written everything by the time it is ended. */
function chunksOf(pdf: { read(): unknown }): Buffer[] {
  const chunks: Buffer[] = [];
  for (let chunk = pdf.read(); chunk !== null; chunk = pdf.read()) chunks.push(chunk as Buffer);
  return chunks;
}

/** Without halves of surrogate pairs, which no file may carry. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** `street_address` as people write it. */
function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').replace('ein', 'EIN').replace('dba', 'Doing business as');
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

/** What the fonts that every PDF reader brings can show: the printable part of Windows-1252. */
const shownByFonts = /^[ -~\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]+$/u;

/** A text in letters that the fonts have: without marks that they lack, and a question mark for other scripts. */
function printable(text: string): string {
  return [...text.normalize('NFC')]
    .map((letter) => {
      if (shownByFonts.test(letter)) return letter;
      const bare = letter.normalize('NFD').replace(/\p{M}/gu, '');
      return shownByFonts.test(bare) ? bare : '?';
    })
    .join('');
}
