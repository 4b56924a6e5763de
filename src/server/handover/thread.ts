/**
 * A thread of its own: laying a PDF out keeps whoever does it from everything else. Built beside the application, since its
 * templates are .tsx, which Node does not run as they stand.
 */
import { parentPort } from 'node:worker_threads'
import type { Handover } from './paper.ts'
import { handoverPdf } from './pdf.tsx'

parentPort?.on('message', async (paper: Handover) => {
  const pdf = await handoverPdf(paper)
  parentPort?.postMessage(pdf)
})
