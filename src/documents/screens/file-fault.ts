import type { DocumentPurpose } from '../rules/document.ts'
import { faultOfPdf, isEncrypted, readUpload } from '../rules/file-rules.ts'

/** What is wrong with a chosen file, before it is sent; null where nothing is, or this browser can't tell. */
export async function faultOfFile(file: File, purpose: DocumentPurpose): Promise<string | null> {
  const read = await readUpload(file, purpose)
  if ('fault' in read) return read.fault
  if (read.kind !== 'pdf' || !isEncrypted(read.bytes)) return null
  const { openingFault } = await import('./pdf.ts')
  const fault = await openingFault(read.bytes)
  return fault && faultOfPdf(fault, purpose)
}
