/**
 * A separate thread: laying out a PDF or an Excel file blocks the thread that does it. Built beside the application, since its templates
 * are .tsx, which Node does not run directly.
 */

import { parentPort } from 'node:worker_threads'
import { copyPages } from './copied.ts'
import { excelOf } from './excel.ts'
import { pdfOf } from './pdf.tsx'
import type { Work } from './render.ts'

parentPort?.on('message', async (work: Work) => {
  parentPort?.postMessage(await doneOf(work))
})
// Loaded: from here on the time is the document's own.
parentPort?.postMessage(null)

function doneOf(work: Work) {
  if ('draw' in work) return pdfOf(work.draw)
  return 'table' in work ? excelOf(work.table) : copyPages(work.copy, work.mostPages)
}
