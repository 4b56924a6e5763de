/**
 * A thread of its own: laying a PDF out keeps a person who does it from everything else. Built beside the application, since its
 * templates are .tsx, which Node does not run as they stand.
 */

import { parentPort } from 'node:worker_threads'
import type { Paper } from './paper.ts'
import { pdfOf } from './pdf.tsx'

parentPort?.on('message', async (paper: Paper) => {
  const pdf = await pdfOf(paper)
  parentPort?.postMessage(pdf)
})
