import { buffer } from 'node:stream/consumers'
import layOut, { type DocumentNode, type SafeDocumentNode } from '@react-pdf/layout'
import draw from '@react-pdf/render'
import { type DocumentProps, Font, pdf } from '@react-pdf/renderer'
import PDFDocument from 'pdfkit'
import type { ReactElement } from 'react'

/** What a part of a document is to a screen reader; "Artifact" is not read. */
type Tag = 'H1' | 'Span' | 'H2' | 'H3' | 'Table' | 'TR' | 'TH' | 'TD' | 'Artifact'

/** Says what an element is; a text without it is a paragraph, a picture a figure. `alt` is a picture's words. */
export const as = (tag: Tag | 'Figure', alt?: string): object => ({ tag, alt })

type Node = { type: string; props?: { tag?: Tag; alt?: string }; children?: Node[] }
type Element = ReturnType<PDFKit.PDFDocument['struct']>

/**
 * The bytes of a document that says its structure (ISO 32000, 14.7): headings, paragraphs, tables and pictures in their
 * order. The library lays out and draws, and has no tags: what marks their beginning and end stands between its nodes,
 * as drawings of nothing.
 */
export async function taggedPdf(element: ReactElement<DocumentProps>): Promise<Uint8Array> {
  const { document } = pdf(element).container as unknown as {
    document: DocumentNode & { props: DocumentProps }
  }
  const { author = '', language = '', title = '' } = document.props
  const layout = await (layOut as unknown as Lays)(document, Font)
  const drawing = new PDFDocument({
    pdfVersion: '1.7',
    lang: language,
    tagged: true,
    displayTitle: true,
    autoFirstPage: false,
    // Or it would hold Helvetica beside what is written.
    font: '',
    info: { Title: title, Author: author, CreationDate: new Date() },
  })
  const root = drawing.struct('Document')
  drawing.addStructure(root)
  mark(drawing, layout as unknown as Node, root)
  for (const { sources } of Object.values(Font.getRegisteredFonts()))
    for (const { data } of sources) if (data) keepNames(data as unknown as Glyphs)
  const bytes = buffer(drawing as unknown as NodeJS.ReadableStream)
  draw(drawing as never, layout)
  return bytes
}

type Glyphs = { getGlyph: (id: number, characters?: number[]) => { codePoints: number[] } | null }
const named = new WeakSet<Glyphs>()

/**
 * The library keeps a glyph as it first met it, for all documents. The point met as a part of a colon stands for no
 * character then, and each later amount would be read and copied without it: "$50000".
 */
function keepNames(font: Glyphs): void {
  if (named.has(font)) return
  named.add(font)
  const getGlyph = font.getGlyph.bind(font)
  font.getGlyph = (id, characters = []) => {
    const glyph = getGlyph(id, characters)
    if (glyph?.codePoints.length === 0) glyph.codePoints = characters
    return glyph
  }
}

/** Its fonts are an argument that its types leave out. */
type Lays = (document: DocumentNode, fonts: typeof Font) => Promise<SafeDocumentNode>

function mark(drawing: PDFKit.PDFDocument, node: Node, parent: Element): void {
  node.children &&= node.children.flatMap((child) => marked(drawing, child, parent))
}

function marked(drawing: PDFKit.PDFDocument, node: Node, parent: Element): Node[] {
  const tag = node.props?.tag ?? (node.type === 'TEXT' ? 'P' : undefined)
  if (tag === 'Artifact' || node.type === 'SVG') return [node]
  if (node.type !== 'TEXT' && node.type !== 'IMAGE') {
    const own = tag ? drawing.struct(tag) : parent
    if (tag) parent.add(own)
    mark(drawing, node, own)
    return [node]
  }
  const alt = node.props?.alt
  const read = tag ?? 'Figure'
  const own = drawing.struct(read, alt === undefined ? {} : { alt })
  parent.add(own)
  return [
    nothing(() => own.add(drawing.markStructureContent(read))),
    node,
    nothing(() => drawing.endMarkedContent()),
  ]
}

const nothing = (paint: () => unknown): Node =>
  ({ type: 'CANVAS', props: { paint }, style: {}, box: { top: 0, left: 0, width: 1, height: 1 } }) as Node
