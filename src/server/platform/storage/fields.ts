import { MIMEType } from 'node:util'
import { Refusal } from '../../../domain/shared/refusal.ts'

/** How the fields of a form are told apart: `counter` makes what counts them, piece by piece, without parsing any. */
export type Fields = { ofFiles: boolean; counter: () => (piece: Uint8Array) => number }

/** Said with 413, which is none of the store's statuses. */
export class TooManyFields extends Refusal {
  constructor() {
    super('out-of-range', {
      title: 'La solicitud es demasiado grande',
      description: 'Este formulario trae demasiados campos. Vuelve a abrir la página.',
    })
  }
  override get status() {
    return 413
  }
}

const headEnd = Buffer.from('\r\n\r\n')
/** Bytes of what a part says of itself: its field, and the name of its file. */
const longestHead = 16 * 1024

/** What separates the fields of a body of this type; null for what is no form. */
export function fieldsOf(contentType = ''): Fields | null {
  // Of a list of types parsers take the last one, or the first. No browser sends one.
  if (contentType.includes(',')) throw new Refusal('invalid-argument')
  const type = typeOf(contentType)
  if (type?.essence === 'application/x-www-form-urlencoded') return { ofFiles: false, counter: ampersands }
  if (type?.essence !== 'multipart/form-data') return null
  const boundary = type.params.get('boundary')
  if (!boundary) throw new Refusal('invalid-argument')
  return { ofFiles: true, counter: () => parts(Buffer.from(`--${boundary}`, 'latin1')) }
}

function typeOf(contentType: string): MIMEType | null {
  try {
    return new MIMEType(contentType)
  } catch {
    return null
  }
}

/** Counts ampersands in what comes piece by piece. */
const ampersands = () => (piece: Uint8Array) =>
  piece.reduce((count, byte) => count + (byte === 0x26 ? 1 : 0), 0)

/** Counts parts by their boundary in what comes piece by piece, and refuses one whose head is longer than any browser writes. */
function parts(boundary: Buffer) {
  let [inHead, headLength, tail] = [false, 0, Buffer.alloc(0)]
  return (piece: Uint8Array) => {
    const bytes = Buffer.concat([tail, piece])
    let [at, count] = [0, 0]
    for (;;) {
      const mark = inHead ? headEnd : boundary
      const found = bytes.indexOf(mark, at)
      const until = found < 0 ? Math.max(at, bytes.length - mark.length + 1) : found
      headLength = inHead ? headLength + until - at : 0
      if (headLength > longestHead) throw new TooManyFields()
      at = until
      if (found < 0) break
      if (!inHead) count++
      inHead = !inHead
      at += mark.length
    }
    // A mark may lie across two pieces.
    tail = Buffer.from(bytes.subarray(at))
    return count
  }
}
