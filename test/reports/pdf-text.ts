import { inflateSync } from 'node:zlib'
import { createCanvas } from '@napi-rs/canvas'
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** What is drawn on the pages of a PDF, as its own language says it. */
export function drawnOn(pdf: Uint8Array): string[] {
  // What is packed may end with any byte, a carriage return too: only the line end that is written after it is not part of it.
  const streams = Buffer.from(pdf)
    .toString('latin1')
    .matchAll(/\/FlateDecode\n>>\nstream\n([\s\S]*?)\nendstream/g)
  return [...streams].map(([, body]) => inflateSync(Buffer.from(body!, 'latin1')).toString('latin1'))
}

/** Reads a PDF as a reader does; it is closed afterwards. */
export async function readPdf<Answer>(
  pdf: Uint8Array,
  read: (document: PDFDocumentProxy) => Promise<Answer>,
): Promise<Answer> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 })
  try {
    return await read(await task.promise)
  } finally {
    await task.destroy()
  }
}

/** What a PDF says, in the order it is set. */
export const textOf = (pdf: Uint8Array): Promise<string> =>
  readPdf(pdf, async (document) => {
    const pages = Array.from({ length: document.numPages }, async (_, n) => {
      const { items } = await (await document.getPage(n + 1)).getTextContent()
      return items.map((item) => ('str' in item ? item.str : '')).join(' ')
    })
    const said = (await Promise.all(pages)).join(' ').replace(/\s+/g, ' ')
    // A point that stands close to its figure begins a run of its own.
    return said.replace(/(\d) (?=[.,]\d)/g, '$1')
  })

/** The pages as pictures, PNG, at 72 dots per inch. */
export const picturesOf = (pdf: Uint8Array, scale = 1): Promise<Buffer[]> =>
  readPdf(pdf, async (document) => {
    const pictures: Buffer[] = []
    for (let n = 1; n <= document.numPages; n++) {
      const page = await document.getPage(n)
      const viewport = page.getViewport({ scale })
      const canvas = createCanvas(viewport.width, viewport.height)
      await page.render({ canvas: canvas as never, viewport }).promise
      pictures.push(canvas.toBuffer('image/png'))
    }
    return pictures
  })
