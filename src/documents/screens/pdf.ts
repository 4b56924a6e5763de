import {
  AnnotationMode,
  GlobalWorkerOptions,
  getDocument,
  PasswordException,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import workerSrc from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'
import type { PdfFault } from '../rules/file-rules.ts'

GlobalWorkerOptions.workerSrc = workerSrc

/** Opens a PDF that is not trusted: nothing in it runs, and it fetches nothing. */
const opened = (data: Uint8Array) =>
  getDocument({ data, verbosity: 0, enableXfa: false, disableAutoFetch: true, useWasm: false })

/** What keeps a PDF from being read; null where nothing does. */
export async function openingFault(bytes: Uint8Array): Promise<PdfFault | null> {
  const task = opened(bytes)
  try {
    return (await task.promise).numPages > 0 ? null : 'broken'
  } catch (error) {
    return error instanceof PasswordException ? 'locked' : 'broken'
  } finally {
    await task.destroy()
  }
}

/** The sides of a drawn page, in pixels: sharp on a large window, and little for a canvas. */
const longestSide = 1_800

/** Draws the first page of a PDF as a picture, and answers how many pages it has. */
export async function drawFirstPage(bytes: Uint8Array, canvas: HTMLCanvasElement): Promise<number> {
  const task = opened(bytes)
  try {
    const document = await task.promise
    const page = await document.getPage(1)
    const { height, width } = page.getViewport({ scale: 1 })
    const viewport = page.getViewport({ scale: longestSide / Math.max(width, height) })
    canvas.width = Math.ceil(viewport.width)
    canvas.height = Math.ceil(viewport.height)
    await page.render({ canvas, viewport, annotationMode: AnnotationMode.ENABLE }).promise
    return document.numPages
  } finally {
    await task.destroy()
  }
}
