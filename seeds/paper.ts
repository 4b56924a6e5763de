import { createHash, randomUUID } from 'node:crypto'
import type { DocumentPurpose } from '../src/domain/documents/document.ts'
import type { documents } from '../src/server/platform/database/schema/payments.ts'
import type { events } from '../src/server/platform/database/schema/projects.ts'

const text = 'Comprobante de demostracion: no ampara ningun pago.'
const stream = `BT /F1 14 Tf 40 120 Td (${text}) Tj ET`

/** A page marked as a sample: every paper handed in in the demo world. */
export const demoPaper = pdf([
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
  `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
])

/** A row of a document. */
type Paper = typeof documents.$inferInsert & { id: string }
/** An event with its time. */
export type Traced = typeof events.$inferInsert & { at: Date }
export const byTime = (a: { at: Date }, b: { at: Date }) => a.at.getTime() - b.at.getTime()

/** The same page as a form uploads it. */
export const paperFile = (name = 'comprobante.pdf') =>
  new File([demoPaper], name, { type: 'application/pdf' })

/** The row of a paper that a customer uploaded; all papers are the same page. */
export const paperOf = (
  whose: { customerId: string; projectId: string },
  purpose: DocumentPurpose,
  createdAt: Date,
): Paper => ({
  ...whose,
  id: randomUUID(),
  purpose,
  uploadedBy: whose.customerId,
  createdAt,
  type: 'application/pdf',
  name: 'comprobante.pdf',
  bytes: demoPaper.byteLength,
  sha256: createHash('sha256').update(demoPaper).digest('hex'),
})

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
