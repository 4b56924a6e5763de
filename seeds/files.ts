import { createHash } from 'node:crypto'
import type sharpLibrary from 'sharp'

/** A picture of the demo world in its two sizes, as the upload would have created them. */
export type DemoPicture = {
  full: Uint8Array
  list: Uint8Array
  type: 'image/jpeg' | 'image/png'
  sha256: string
  width: number
  height: number
}

type Colour = readonly [red: number, green: number, blue: number]
const walls: readonly Colour[] = [
  [196, 178, 150],
  [150, 164, 178],
  [172, 160, 168],
  [158, 172, 150],
]
const [width, height] = [1600, 1200]

let drawn: Promise<{ photos: DemoPicture[]; signature: DemoPicture }> | undefined

/** A few generated pictures, shared by all homes of the demo world: a wall with a box, and a signature. */
export function demoPictures() {
  drawn ??= draw()
  return drawn
}

async function draw() {
  // Loaded here: the module is large, and only the demo world's first start needs it.
  const { default: sharp } = await import('sharp')
  const photos = await Promise.all(walls.map((wall) => photo(sharp, wall)))
  return { photos, signature: await signature(sharp) }
}

type Shape = readonly [colour: Colour, left: number, top: number, width: number, height: number]

async function photo(sharp: typeof sharpLibrary, wall: Colour): Promise<DemoPicture> {
  const shapes: Shape[] = [
    [darker(wall), 0, 960, width, 240],
    [[238, 238, 236], 560, 300, 480, 560],
    [[70, 76, 84], 620, 380, 360, 300],
    [[210, 60, 48], 700, 740, 60, 60],
    [[60, 60, 64], 1040, 560, 560, 24],
  ]
  const full = await scene(sharp, wall, shapes).jpeg({ quality: 80 }).toBuffer()
  return sized(sharp, full, { type: 'image/jpeg', width, height })
}

async function signature(sharp: typeof sharpLibrary): Promise<DemoPicture> {
  const strokes = Array.from({ length: 60 }, (_, n): Shape => {
    const rise = Math.round(120 * Math.sin(n / 5) * Math.cos(n / 17))
    return [[24, 28, 60], 260 + n * 18, 580 + rise, 22, 12]
  })
  const full = await scene(sharp, [255, 255, 255], strokes)
    .resize({ width: 1280 })
    .png({ palette: true })
    .toBuffer()
  return sized(sharp, full, { type: 'image/png', width: 1280, height: 960 })
}

function scene(sharp: typeof sharpLibrary, [r, g, b]: Colour, shapes: readonly Shape[]) {
  const filled = (
    size: { width: number; height: number },
    background: { r: number; g: number; b: number },
  ) => ({
    create: { ...size, channels: 3 as const, background },
  })
  return sharp(filled({ width, height }, { r, g, b })).composite(
    shapes.map(([[red, green, blue], left, top, wide, high]) => ({
      input: filled({ width: wide, height: high }, { r: red, g: green, b: blue }),
      left,
      top,
    })),
  )
}

const darker = ([r, g, b]: Colour): Colour => [r * 0.6, g * 0.6, b * 0.6]

async function sized(
  sharp: typeof sharpLibrary,
  full: Buffer,
  facts: Pick<DemoPicture, 'type' | 'width' | 'height'>,
): Promise<DemoPicture> {
  const list = await sharp(full).resize({ width: 480 }).webp({ quality: 72 }).toBuffer()
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
