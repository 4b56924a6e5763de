import { inflateSync } from 'node:zlib'

/** What is drawn on the pages of a PDF, as its own language says it. */
export function drawnOn(pdf: Buffer): string[] {
  const streams = pdf.toString('latin1').matchAll(/\/FlateDecode\n>>\nstream\r?\n([\s\S]*?)\r?\nendstream/g)
  return [...streams].map(([, body]) => inflateSync(Buffer.from(body!, 'latin1')).toString('latin1'))
}

/** What a PDF says, in the order it is set; its own fonts are written in Latin-1, as hexadecimal. */
export const textOf = (pdf: Buffer): string =>
  drawnOn(pdf)
    .flatMap((page) => [...page.matchAll(/\[([^\]]*)\] TJ/g)].map(([, shown]) => spelt(shown!)))
    .join(' ')
    .replace(/\s+/g, ' ')

const spelt = (shown: string) =>
  [...shown.matchAll(/<([0-9a-f]*)>/gi)]
    .map(([, hex]) => Buffer.from(hex!, 'hex').toString('latin1'))
    .join('')
