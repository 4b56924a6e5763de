import { buffer } from 'node:stream/consumers'
import layOut, { type DocumentNode, type SafeDocumentNode } from '@react-pdf/layout'
import draw from '@react-pdf/render'
import { type DocumentProps, Font, pdf } from '@react-pdf/renderer'
import PDFDocument from 'pdfkit'
import type { ReactElement } from 'react'
import type { CopiedPages, CopiedValue } from './copied.ts'

/** What a part of a document is to a screen reader; "Artifact" is not read. */
type Tag = 'H1' | 'Span' | 'H2' | 'H3' | 'Table' | 'TR' | 'TH' | 'TD' | 'Artifact'

/** Says what an element is; a text without it is a paragraph, a picture a figure. `alt` is a picture's words. */
export const as = (tag: Tag | 'Figure', alt?: string): object => ({ tag, alt })

/** Of the rest of a table, whose first rows are in the part before: a heading stays with those. */
export const moreOfTable: object = { tag: 'Table', more: true }

/** Of a text: where it leads when it is pressed. */
export const leadsTo = (link: string): object => ({ tag: 'Link', link })

/** Of a canvas: it shows the nth of the pages copied from another PDF, as large as fits, and is a figure of these words. */
export const showing = (copied: CopiedPages, nth: number, alt: string): object => ({
  ...as('Figure', alt),
  copied,
  nth,
})

type Props = {
  tag?: Tag | 'Link'
  alt?: string
  more?: boolean
  link?: string
  copied?: CopiedPages
  nth?: number
}
type Box = { left: number; top: number; width: number; height: number }
type Node = { type: string; props?: Props; children?: Node[]; box?: Box }
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
  const { alt, copied, nth = 0, tag = node.type === 'TEXT' ? 'P' : undefined } = node.props ?? {}
  if (tag === 'Artifact' || node.type === 'SVG') return [node]
  if (node.type !== 'TEXT' && node.type !== 'IMAGE' && !copied) {
    mark(drawing, node, tag ? containing(drawing, tag, parent, node.props?.more) : parent)
    return [node]
  }
  const read = tag ?? 'Figure'
  const own = drawing.struct(read, alt === undefined ? {} : { alt })
  parent.add(own)
  return [
    nothing(() => own.add(drawing.markStructureContent(read))),
    copied ? shown(drawing, node, copied, nth) : node,
    nothing(() => {
      drawing.endMarkedContent()
      if (node.props?.link && node.box) lead(drawing, node.box, node.props.link, own)
    }),
  ]
}

const tables = new WeakMap<PDFKit.PDFDocument, Element>()

function containing(drawing: PDFKit.PDFDocument, tag: string, parent: Element, more = false): Element {
  const before = tables.get(drawing)
  if (more && before) return before
  const own = drawing.struct(tag)
  parent.add(own)
  if (tag === 'Table') tables.set(drawing, own)
  return own
}

const nothing = (paint: () => unknown): Node =>
  ({ type: 'CANVAS', props: { paint }, style: {}, box: { top: 0, left: 0, width: 1, height: 1 } }) as Node

function lead(
  drawing: PDFKit.PDFDocument,
  { height, left, top, width }: Box,
  link: string,
  structParent: Element,
) {
  drawing.link(left, top, width, height, link, { structParent, Contents: new String(link) } as object)
}

/** Its types leave out what it is made of. */
type Reference = Pick<PDFKit.PDFKitReference, 'id'> & {
  data: Record<string, unknown>
  compress: boolean
  end: (data?: Uint8Array) => void
}

/** Below its own size nothing is enlarged; a plan of metres becomes as small as the sheet. */
function shown(drawing: PDFKit.PDFDocument, node: Node, copied: CopiedPages, nth: number): Node {
  const { form, height, width } = copied.pages[nth]!
  const paint = (_: unknown, wide: number, high: number) => {
    const by = Math.min(1, wide / width, high / height)
    const left = (wide - width * by) / 2
    const foot = (high + height * by) / 2
    const drawn = objectsOf(drawing, copied)[form]!
    const name = `S${drawn.id}`
    drawing.page.xobjects[name] = drawn
    drawing.addContent(
      `q ${by.toFixed(5)} 0 0 ${(-by).toFixed(5)} ${left.toFixed(3)} ${foot.toFixed(3)} cm /${name} Do Q`,
    )
  }
  return { ...node, props: { paint } } as Node
}

const written = new WeakMap<PDFKit.PDFDocument, Map<CopiedPages, Reference[]>>()

/** The objects of copied pages as this document's own, written once. */
function objectsOf(drawing: PDFKit.PDFDocument, copied: CopiedPages): Reference[] {
  const all = written.get(drawing) ?? new Map<CopiedPages, Reference[]>()
  written.set(drawing, all)
  const known = all.get(copied)
  if (known) return known
  const made = copied.objects.map(() => drawing.ref({}) as unknown as Reference)
  all.set(copied, made)
  for (const [at, { data, value }] of copied.objects.entries()) {
    const own = made[at]!
    own.data = asWritten(value, made) as Record<string, unknown>
    // What is packed stays as it is.
    own.compress = data !== null && !own.data.Filter
    if (data === null) own.end()
    else own.end(data)
  }
  return made
}

/** A value as the library below writes it. */
function asWritten(value: CopiedValue, made: readonly Reference[]): unknown {
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, one]) => [key, asWritten(one, made)]))
  if (Array.isArray(value)) return value.map((one) => asWritten(one, made))
  return made[(value as { at: number }).at]
}
