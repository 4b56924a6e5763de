import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createDeflate } from 'node:zlib'
import PDFDocument from 'pdfkit'

const font = createRequire(import.meta.url).resolve(
  '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
)

/** What another program would make: two reports, one of them wide, with a link, a script and an attachment. */
export async function drawnPdf(options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const drawing = new PDFDocument({ margin: 60, font, ...options })
  drawing.fontSize(20).text('Recibo de luz').fontSize(12).text('Servicio 123456789012')
  drawing.rect(60, 160, 300, 90).fillAndStroke('#cde', '#123').fillColor('#000')
  drawing.text('Pulsa', 60, 300, { link: 'https://malo.example/' })
  drawing.addNamedJavaScript('abre', 'app.alert(1)')
  drawing.file(Buffer.from('oculto'), { name: 'oculto.txt' })
  drawing.addPage({ layout: 'landscape', margin: 60 }).fontSize(20).text('Segunda hoja')
  drawing.end()
  return buffer(drawing as unknown as NodeJS.ReadableStream)
}

/** A PDF of one report with these objects; the fourth is its contents. */
export const pdfOfObjects = (page: string, ...objects: readonly string[]) =>
  Buffer.from(
    `%PDF-1.7
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/Contents 4 0 R ${page}>> endobj
${objects.map((object, n) => `${n + 4} 0 obj ${object} endobj`).join('\n')}
trailer <</Root 1 0 R>>
%%EOF
`,
    'latin1',
  )

/** A stream as a PDF writes it. */
export const stream = (data: string, entries = '') =>
  `<<${entries}/Length ${data.length}>> stream\n${data}\nendstream`

/** Small, and without end once it is unpacked: the objects that its pages are in. */
export async function bombPdf(megabytes: number): Promise<Buffer> {
  const packing = createDeflate({ level: 1 })
  const zeros = Buffer.alloc(1024 * 1024)
  const packed = buffer(Readable.from(Array.from({ length: megabytes }, () => zeros)).pipe(packing))
  const data = (await packed).toString('latin1')
  return Buffer.from(
    `%PDF-1.7
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
5 0 obj ${stream(data, '/Type/ObjStm/N 2/First 8/Filter/FlateDecode')} endobj
trailer <</Root 1 0 R>>
%%EOF
`,
    'latin1',
  )
}

/** A PDF as small as they come; whatever stands in `inside` is an object of it. */
export const pdf = (inside = '') =>
  Buffer.from(`%PDF-1.7
1 0 obj <</Type/Catalog/Pages 2 0 R${inside ? '/OpenAction 4 0 R' : ''}>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>> endobj
${inside && `4 0 obj ${inside} endobj\n`}trailer <</Root 1 0 R>>
%%EOF
`)

/** A script that a reader runs when it opens it. */
export const pdfWithScript = pdf('<</S/JavaScript/JS(app.alert(document.cookie))>>')

export const xml = '<?xml version="1.0" encoding="UTF-8"?>\n<cfdi:Comprobante Version="4.0"/>'

export const fileOf = (bytes: Uint8Array | string, name: string, type = 'application/pdf') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type })
