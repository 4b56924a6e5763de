import { createHash } from 'node:crypto'
import type sharpLibrary from 'sharp'
import { isSignature } from '../src/reports/rules/photos.ts'
import type { SheetKind } from '../src/reports/rules/report.ts'
import { homeCount, sceneOf } from './scenes.ts'

/** A picture of the demo world in its two sizes, as the upload would have created them. */
export type DemoPicture = {
  full: Uint8Array
  list: Uint8Array
  type: 'image/jpeg' | 'image/png'
  sha256: string
  width: number
  height: number
}

const [width, height] = [1280, 960]
const drawn = new Map<string, Promise<DemoPicture>>()

/** The photo or signature in a slot of a demo report, drawn once for all homes that look alike. */
export function demoPicture(kind: SheetKind, slot: string, of: number): Promise<DemoPicture> {
  const key = isSignature(slot) ? 'signature' : `${kind} ${slot} ${of % homeCount}`
  const picture = drawn.get(key) ?? draw(kind, slot, of)
  drawn.set(key, picture)
  return picture
}

async function draw(kind: SheetKind, slot: string, of: number): Promise<DemoPicture> {
  // Loaded here: the module is large, and only the demo world's first start needs it.
  const { default: sharp } = await import('sharp')
  const signed = isSignature(slot)
  const svg = sharp(Buffer.from(signed ? signature() : sceneOf(kind, slot, of)))
  const full = await (signed ? svg.png({ palette: true }) : svg.jpeg({ quality: 80 })).toBuffer()
  return sized(sharp, full, { type: signed ? 'image/png' : 'image/jpeg', width, height })
}

/** A name as a pen writes it. */
function signature(): string {
  const points = Array.from({ length: 120 }, (_, n) => [
    240 + n * 6.6,
    480 + 110 * Math.sin(n / 5) * Math.cos(n / 17),
  ])
  const path = points.map(([x, y]) => `${x!.toFixed(1)} ${y!.toFixed(1)}`).join(' L')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/><path d="M${path}" fill="none" stroke="#181c3c" stroke-width="9" stroke-linecap="round" stroke-linejoin="round"/></svg>`
}

/** A drawn face, of the size in which visitors' portraits are kept. */
export async function portrait([hair, shirt]: readonly [hair: string, shirt: string]): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="480"><rect width="480" height="480" fill="#dfe7e3"/><path d="M60 480 C70 360 150 330 240 330 C330 330 410 360 420 480Z" fill="${shirt}"/><rect x="200" y="280" width="80" height="80" rx="30" fill="#b98260"/><ellipse cx="240" cy="210" rx="96" ry="118" fill="#c98f6b"/><path d="M138 214 C120 90 190 60 240 60 C290 60 360 90 342 214 C330 150 300 132 240 136 C180 132 150 150 138 214Z" fill="${hair}"/><circle cx="204" cy="214" r="11" fill="#1d1a18"/><circle cx="276" cy="214" r="11" fill="#1d1a18"/><path d="M200 270 Q240 302 280 270" fill="none" stroke="#7a3f34" stroke-width="9" stroke-linecap="round"/></svg>`
  return sharp(Buffer.from(svg)).webp({ quality: 80 }).toBuffer()
}

async function sized(
  sharp: typeof sharpLibrary,
  full: Buffer,
  facts: Pick<DemoPicture, 'type' | 'width' | 'height'>,
): Promise<DemoPicture> {
  const list = await sharp(full).resize({ width: 480 }).webp({ quality: 72, effort: 0 }).toBuffer()
  return { full, list, sha256: createHash('sha256').update(full).digest('hex'), ...facts }
}

const text = 'Comprobante de demostracion: no ampara ningun pago.'
const stream = `BT /F1 14 Tf 40 120 Td (${text}) Tj ET`

/** A page marked as a sample: every paper handed in in the demo world. */
const demoPaper = pdf([
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
  `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
])

/** The same page as a form uploads it. */
export const paperFile = (name = 'comprobante.pdf') =>
  new File([demoPaper], name, { type: 'application/pdf' })

/** A PDF file of numbered objects, with its cross-reference table. */
function pdf(objects: readonly string[]): Uint8Array<ArrayBuffer> {
  let file = '%PDF-1.4\n'
  const starts = objects.map((object, n) => {
    const start = file.length
    file += `${n + 1} 0 obj\n${object}\nendobj\n`
    return start
  })
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return new TextEncoder().encode(`${file}xref\n0 ${size}\n0000000000 65535 f \n${table}${end}`)
}
