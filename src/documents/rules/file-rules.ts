import { withoutTail } from '../../shared/text.ts'
import {
  type DocumentKind,
  type DocumentPurpose,
  documentPurposes,
  largestDocument,
  sizesFor,
} from './document.ts'
import { brokenPicture, isCutPicture, kindOf, type SlicedFile } from './picture-kind.ts'

/** How many leading bytes tell the type of a file: what a mail program puts before a PDF is shorter. */
export const headOfFile = 1024

/** The type of a file by its first bytes, whatever its name or declared type; null for unknown types. */
export function documentKindOf(bytes: Uint8Array): DocumentKind | null {
  if (kindOf(bytes)) return 'picture'
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, headOfFile))
  if (head.startsWith('%PDF-')) return 'pdf'
  if (/^[^<]*<(\?xml|(\w+:)?Comprobante)\s/.test(head)) return 'xml'
  return head.includes('%PDF-') ? 'pdf' : null
}

/** A picture is taken as it came; of other types, what stands before the beginning is left out. */
type ReadFile = { kind: 'picture' } | { kind: 'pdf' | 'xml'; bytes: Uint8Array<ArrayBuffer> }

/**
 * Reads a file that was chosen for a purpose, without what stands before its beginning; or says what is wrong with it and
 * what to do. A browser asks before it sends it, the server when it came. Whether a PDF opens is asked apart.
 */
export async function readUpload(
  file: SlicedFile,
  purpose: DocumentPurpose,
): Promise<ReadFile | { fault: string }> {
  if (file.size === 0) return { fault: 'El archivo está vacío. Elige otro.' }
  const head = new Uint8Array(await file.slice(0, headOfFile).arrayBuffer())
  const kind = documentKindOf(head)
  if (!kind || !documentPurposes[purpose].kinds.includes(kind))
    return { fault: `No pudimos leer ese archivo. Sube ${sizesFor(purpose)}.` }
  if (file.size > largestDocument[kind])
    return { fault: `El archivo pesa demasiado. Sube ${sizesFor(purpose)}.` }
  if (kind === 'picture')
    return (await isCutPicture(file, kindOf(head)!)) ? { fault: brokenPicture } : { kind }
  const sent = new Uint8Array(await file.slice(0, file.size).arrayBuffer())
  const bytes = sent.subarray(startOf(kind, sent))
  const fault = faultOf[kind](bytes, purpose)
  return fault ? { fault } : { kind, bytes }
}

/** Where a file begins behind what was put before it. */
const startOf = (kind: 'pdf' | 'xml', bytes: Uint8Array): number =>
  kind === 'xml' ? bytes.indexOf(0x3c) : latin1(bytes, 0, headOfFile).indexOf('%PDF-')

const latin1 = (bytes: Uint8Array, from?: number, to?: number) =>
  new TextDecoder('latin1').decode(bytes.subarray(from, to))

/** What is wrong with a file of a type; null where nothing is. */
const faultOf: Record<'pdf' | 'xml', (bytes: Uint8Array, purpose: DocumentPurpose) => string | null> = {
  pdf: (bytes, purpose) => (isCutPdf(bytes) ? faultOfPdf('broken', purpose) : null),
  xml: (bytes) => (plainXmlIn(bytes) ? null : 'Este XML no se puede leer. Sube el que te dio quien timbra.'),
}

/** Without an end, or shorter than the one at its beginning says. */
function isCutPdf(bytes: Uint8Array): boolean {
  if (!latin1(bytes).includes('%%EOF')) return true
  const linearized = latin1(bytes, 0, headOfFile).split('/Linearized')[1] ?? ''
  const length = /\/L (\d+)/.exec(linearized)?.[1]
  return Number(length) > bytes.length && !latin1(bytes, -headOfFile).includes('%%EOF')
}

/** What opening a PDF found: whether it asks for a password, which one that is locked against changes only does not. */
export type PdfFault = 'locked' | 'broken'

/** Whether a PDF is encrypted, so that it has to be opened to know whether it asks for a password. */
export const isEncrypted = (pdf: Uint8Array) => latin1(pdf).includes('/Encrypt')

/** What a user does about such a PDF. */
export function faultOfPdf(fault: PdfFault, purpose: DocumentPurpose): string {
  const { instead } = documentPurposes[purpose]
  if (fault === 'broken')
    return `Este PDF está dañado o incompleto. Descárgalo otra vez${instead ? `, o mándanos ${instead}` : ''}.`
  const saved = 'sin contraseña (Imprimir → Guardar como PDF).'
  return `Este PDF pide una contraseña. ${instead ? `Mándanos ${instead}, o guárdalo ${saved}` : `Guárdalo ${saved}`}`
}

/** Decodes UTF-8; null for bytes of another encoding. */
function utf8In(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** A comment, text as it is, or an instruction: nothing in them is markup. One that does not end takes the rest. */
const notMarkup = /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\?[\s\S]*?(?:\?>|$)/g

/**
 * The text of an XML as a sender's program may have written it, from its first `<` on and without the NULs at its end, and
 * the same with its markup alone. Null where it is not UTF-8 or declares something of its own: no invoice has a document
 * type, and readers of one fetch and expand what it names.
 */
export function plainXmlIn(bytes: Uint8Array): { whole: string; markup: string } | null {
  const whole = withoutTail(utf8In(bytes.subarray(Math.max(0, bytes.indexOf(0x3c)))) ?? '', '\0')
  const markup = whole.replace(notMarkup, '')
  if (markup === '' || /<!(DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)/i.test(markup)) return null
  return { whole, markup }
}
