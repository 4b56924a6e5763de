/**
 * A separate thread: laying out a PDF blocks the thread that does it. Built beside the application, since its templates
 * are .tsx, which Node does not run directly.
 */

import { parentPort } from 'node:worker_threads'
import type { Paper } from './paper.ts'
import { pdfOf } from './pdf.tsx'

parentPort?.on('message', async (paper: Paper) => {
  const pdf = await pdfOf(paper)
  parentPort?.postMessage(pdf)
})
