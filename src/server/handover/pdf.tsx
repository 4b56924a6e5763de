import { renderToBuffer } from '@react-pdf/renderer'
import sharp from 'sharp'
import { HandoverDocument } from './document.tsx'
import type { Handover, Picture } from './paper.ts'

/** The document's bytes. It takes a processor for some tenths of a second. */
export async function handoverPdf(paper: Handover): Promise<Uint8Array> {
  const [photos, signatures] = await Promise.all([
    Promise.all(paper.photos.map(printable)),
    Promise.all(paper.signatures.map(printable)),
  ])
  return renderToBuffer(<HandoverDocument paper={{ ...paper, photos, signatures }} />)
}

/** A PDF holds JPEG, and small pictures are kept as WebP. */
async function printable<One extends Picture>(picture: One): Promise<One> {
  const { bytes } = picture
  return bytes
    ? { ...picture, bytes: await sharp(bytes).flatten({ background: '#fff' }).jpeg().toBuffer() }
    : picture
}
