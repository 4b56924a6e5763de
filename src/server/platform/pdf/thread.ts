/**
 * A separate thread: laying out a PDF blocks the thread that does it. Built beside the application, since its templates
 * are .tsx, which Node does not run directly.
 */

import { parentPort } from 'node:worker_threads'
import { copyPages } from './copied.ts'
import { pdfOf } from './pdf.tsx'
import type { Work } from './render.ts'

parentPort?.on('message', async (work: Work) => {
  const done = 'draw' in work ? await pdfOf(work.draw) : await copyPages(work.copy, work.mostPages)
  parentPort?.postMessage(done)
})
