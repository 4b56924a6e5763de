import { PDF, type PdfDict, type PdfObject, type PdfRef, type PdfStream } from '@libpdf/core'

/** A value of another's PDF: a name is a string, a string bytes, a dictionary a Map, `at` the place of an object. */
export type CopiedValue =
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | { at: number }
  | readonly CopiedValue[]
  | ReadonlyMap<string, CopiedValue>

/** `data` is a stream's, as it was packed. */
type CopiedObject = { value: CopiedValue; data: Uint8Array | null }

/** Pages of another's PDF as drawings: `form` is the place of a page's own. Its sizes are in points. */
export type CopiedPages = {
  pages: readonly { width: number; height: number; form: number }[]
  objects: readonly CopiedObject[]
}

/** Why a PDF is not copied. */
export type Uncopied = 'locked' | 'long' | 'broken'

/** Papers need far less; these hold for what was made to need more. */
const most = { values: 300_000, depth: 100, joined: 20_000_000, notes: 2000, parents: 30 }

/** What a page draws with (ISO 32000, 7.8.3). Anything else of its resources is left out. */
const drawnWith = ['ExtGState', 'ColorSpace', 'Pattern', 'Shading', 'XObject', 'Font', 'ProcSet']

/** What runs, is attached, names another file, or leads back to the whole; but a font or a picture may have such a name. */
const leftOut = new Set(
  'A AA AF Alternates Dest F FDecodeParms FFilter JS Measure Metadata Names OC OPI OpenAction PieceInfo Parent PtData Ref StructParent StructParents URI'.split(
    ' ',
  ),
)
const named = new Set([...drawnWith, 'CharProcs'])
const neverCopied = new Set(
  'Action Annot Catalog EmbeddedFile Filespec Metadata PS Page Pages StructElem StructTreeRoot'.split(' '),
)

/**
 * Copies what the pages of another's PDF draw, and nothing that runs, is attached or leads elsewhere: only what a page
 * draws with is followed. Printed notes and filled fields come as their drawings. Hostile bytes may still take long and
 * much memory, so it runs where it can be ended.
 */
export async function copyPages(bytes: Uint8Array, mostPages: number): Promise<CopiedPages | Uncopied> {
  try {
    const pdf = await PDF.load(bytes)
    if (pdf.isEncrypted && !pdf.isAuthenticated) return 'locked'
    const { pages } = pdf.context
    const refs = pages.getPages()
    if (refs.length > mostPages) return 'long'
    if (pdf.isEncrypted && !pdf.getSecurity().permissions.print) return 'locked'
    const copy = new Copy((ref) => pdf.context.resolve(ref))
    const copied = refs.map((ref) => copy.page(pdf.context.resolve(ref)))
    return copied.length === 0 ? 'broken' : { pages: copied, objects: copy.objects }
  } catch {
    return 'broken'
  }
}

type Box = readonly [left: number, bottom: number, right: number, top: number]
type Matrix = readonly [number, number, number, number, number, number]
type Found = PdfObject | null | undefined
type Entries = Map<string, CopiedValue>

function broken(): never {
  throw new Error('not a PDF that can be copied')
}

/** The objects that pages need, each once. */
class Copy {
  readonly objects: CopiedObject[] = []
  readonly #places = new Map<string, number>()
  readonly #resolve: (ref: PdfRef) => PdfObject | null
  #values = 0

  constructor(resolve: (ref: PdfRef) => PdfObject | null) {
    this.#resolve = resolve
  }

  /** A page as one drawing, turned as it is shown, with what is noted on it. */
  page(found: Found): CopiedPages['pages'][number] {
    if (!isDict(found)) return broken()
    const box = this.#pageBox(found)
    const turn = this.#number(this.#inherited(found, 'Rotate'))
    const page: Entries = new Map<string, CopiedValue>([
      ...form(box),
      ['Resources', this.#resources(this.#inherited(found, 'Resources'))],
    ])
    const group = found.getDict('Group', this.#resolve)
    if (group) page.set('Group', this.#entries(group, 0))
    const data = this.#contents(found, page)
    const [width, height] = sizeOf(box, turn)
    const parts: Entries = new Map([['P', { at: this.#add(page, data) }]])
    const words = [`q ${written(turnOf(box, turn))} cm /P Do`]
    for (const [n, note] of this.#notes(found).entries()) {
      parts.set(`N${n}`, note.drawn)
      words.push(`q ${written(note.matrix)} cm /N${n} Do Q`)
    }
    const whole = new Map<string, CopiedValue>([
      ...form([0, 0, width, height]),
      ['Resources', new Map([['XObject', parts]])],
    ])
    return { width, height, form: this.#add(whole, Buffer.from(`${words.join('\n')} Q\n`)) }
  }

  #add(value: CopiedValue, data: Uint8Array | null): number {
    return this.objects.push({ value, data }) - 1
  }

  #follow(found: Found): Found {
    return found?.type === 'ref' ? this.#resolve(found) : found
  }

  #number(found: Found, otherwise = 0): number {
    return found?.type === 'number' && Math.abs(found.value) < 1e9 ? found.value : otherwise
  }

  #numbers(found: Found): number[] {
    return found?.type === 'array' ? found.toArray().map((one) => this.#number(this.#follow(one))) : []
  }

  #box(found: Found): Box | null {
    const [x1, y1, x2, y2] = this.#numbers(found)
    if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return null
    return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]
  }

  /** Its own, or of what holds it. */
  #inherited(page: PdfDict, key: string): Found {
    let holder: PdfDict | undefined = page
    for (let n = 0; holder && n < most.parents; n++) {
      const found = holder.get(key, this.#resolve)
      if (found && found.type !== 'null') return found
      holder = holder.getDict('Parent', this.#resolve)
    }
    return undefined
  }

  #pageBox(page: PdfDict): Box {
    const media = this.#box(this.#inherited(page, 'MediaBox')) ?? [0, 0, 612, 792]
    const crop = this.#box(this.#inherited(page, 'CropBox')) ?? media
    const left = Math.max(media[0], crop[0])
    const bottom = Math.max(media[1], crop[1])
    const right = Math.min(media[2], crop[2])
    const top = Math.min(media[3], crop[3])
    return right - left < 3 || top - bottom < 3 ? broken() : [left, bottom, right, top]
  }

  /** One stream stays packed, and `page` says how; several are one program, which is joined. */
  #contents(page: PdfDict, as: Entries): Uint8Array {
    const found = page.get('Contents', this.#resolve)
    const all = found?.type === 'array' ? found.toArray().map((one) => this.#follow(one)) : [found]
    const streams = all.filter(isStream)
    const [only] = streams
    if (only && streams.length === 1) {
      for (const key of ['Filter', 'DecodeParms']) {
        const packing = only.get(key, this.#resolve)
        if (packing) as.set(key, this.#value(packing, 0))
      }
      return only.data
    }
    const parts: Uint8Array[] = []
    let size = 0
    for (const stream of streams) {
      const part = stream.getDecodedData()
      size += part.length
      if (size > most.joined) broken()
      parts.push(part, Buffer.from('\n'))
    }
    return Buffer.concat(parts)
  }

  /** What is noted on a page and printed with it: stamps, and what was filled in. */
  #notes(page: PdfDict) {
    const found = page.get('Annots', this.#resolve)
    const all = found?.type === 'array' ? found.toArray().slice(0, most.notes) : []
    return all.flatMap((one) => {
      const note = this.#follow(one)
      return isDict(note) ? (this.#note(note) ?? []) : []
    })
  }

  #note(note: PdfDict): { drawn: CopiedValue; matrix: Matrix } | null {
    const flags = this.#number(note.get('F', this.#resolve))
    const kind = note.getName('Subtype', this.#resolve)?.value
    const isHidden = (flags & 2) > 0
    const isPrinted = (flags & 4) > 0
    const look = this.#lookOf(note)
    const shown = this.#follow(look)
    if (isHidden || !isPrinted || kind === 'Popup' || kind === 'Link' || !isStream(shown)) return null
    const box = this.#box(shown.get('BBox', this.#resolve))
    const rect = this.#box(note.get('Rect', this.#resolve))
    if (!box || !rect) return null
    const [left, bottom, right, top] = around(box, this.#numbers(shown.get('Matrix', this.#resolve)))
    const x = (rect[2] - rect[0]) / (right - left)
    const y = (rect[3] - rect[1]) / (top - bottom)
    if (!(x > 0 && y > 0 && x < 1e6 && y < 1e6)) return null
    return {
      drawn: this.#value(look!, 0),
      matrix: [x, 0, 0, y, rect[0] - left * x, rect[1] - bottom * y],
    }
  }

  /** How a note looks in the state that it has (12.5.5). */
  #lookOf(note: PdfDict): Found {
    const looks = note.getDict('AP', this.#resolve)
    const normal = looks?.get('N')
    const states = this.#follow(normal)
    const state = note.getName('AS', this.#resolve)?.value
    return states?.type === 'dict' && state ? (states as PdfDict).get(state) : normal
  }

  #resources(found: Found): CopiedValue {
    if (!isDict(found)) return new Map()
    const kinds = drawnWith.map((kind) => [kind, found.get(kind)] as const)
    return new Map(kinds.flatMap(([kind, value]) => (value ? [[kind, this.#value(value, 0, kind)]] : [])))
  }

  /** `as` is the key that it stands under: under some, its own keys are names that were given to things. */
  #value(from: PdfObject, depth: number, as = ''): CopiedValue {
    if (++this.#values > most.values || depth > most.depth) broken()
    if (from.type === 'ref') return this.#object(from, depth, as)
    if (from.type === 'array') return from.toArray().map((one) => this.#value(one, depth + 1))
    if (isStream(from)) return { at: this.#add(this.#entries(from, depth), from.data) }
    if (isDict(from)) return as === 'Resources' ? this.#resources(from) : this.#entries(from, depth, as)
    if (from.type === 'name') return escaped(from.value)
    if (from.type === 'number') return this.#number(from)
    if (from.type === 'string') return from.bytes
    return from.type === 'bool' ? from.value : null
  }

  /** Its place is kept before it is followed: things may hold each other. */
  #object(ref: PdfRef, depth: number, as: string): CopiedValue {
    const key = `${ref.objectNumber} ${ref.generation}`
    const known = this.#places.get(key)
    if (known !== undefined) return { at: known }
    const found = this.#resolve(ref)
    if (!found || found.type === 'ref' || (isDict(found) && this.#isNever(found))) return null
    const at = this.#add(null, null)
    this.#places.set(key, at)
    this.objects[at] = isStream(found)
      ? { value: this.#entries(found, depth + 1), data: found.data }
      : { value: this.#value(found, depth + 1, as), data: null }
    return { at }
  }

  #isNever(found: PdfDict): boolean {
    return ['Type', 'Subtype'].some((key) => neverCopied.has(found.getName(key, this.#resolve)?.value ?? ''))
  }

  #entries(from: PdfDict, depth: number, as = ''): CopiedValue {
    if (this.#isNever(from)) return null
    const entries: Entries = new Map()
    for (const [{ value: key }, value] of from) {
      // A stream's length is written with it.
      if (!named.has(as) && (leftOut.has(key) || (key === 'Length' && isStream(from)))) continue
      entries.set(escaped(key), this.#value(value, depth + 1, named.has(as) ? '' : key))
    }
    return entries
  }
}

const isStream = (found: Found): found is PdfStream => found?.type === 'stream'
const isDict = (found: Found): found is PdfDict => found?.type === 'dict' || found?.type === 'stream'

const form = (box: Box): [string, CopiedValue][] => [
  ['Type', 'XObject'],
  ['Subtype', 'Form'],
  ['BBox', [...box]],
]

const sizeOf = ([left, bottom, right, top]: Box, turn: number) =>
  turn % 180 === 0 ? ([right - left, top - bottom] as const) : ([top - bottom, right - left] as const)

/** From where a page draws to where it is shown: turned clockwise, with its corner at the origin. */
function turnOf([left, bottom, right, top]: Box, turn: number): Matrix {
  switch (((turn % 360) + 360) % 360) {
    case 90:
      return [0, -1, 1, 0, -bottom, right]
    case 180:
      return [-1, 0, 0, -1, right, top]
    case 270:
      return [0, 1, -1, 0, top, -left]
    default:
      return [1, 0, 0, 1, -left, -bottom]
  }
}

/** The box around a box that a matrix moved. */
function around([left, bottom, right, top]: Box, by: readonly number[]): Box {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = by.length === 6 ? by : []
  const corners = [left, right].flatMap((x) =>
    [bottom, top].map((y) => [a * x + c * y + e, b * x + d * y + f] as const),
  )
  const xs = corners.map(([x]) => x)
  const ys = corners.map(([, y]) => y)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

const written = (matrix: Matrix) => matrix.map((one) => one.toFixed(5)).join(' ')

/** A name as it is written: what is no plain sign by its bytes (7.3.5). */
const escaped = (name: string) =>
  [...Buffer.from(name)]
    .map((byte) => {
      const sign = String.fromCharCode(byte)
      return /[\w.+*:@,;!$&'=?^`|~"-]/.test(sign) && byte < 127
        ? sign
        : `#${byte.toString(16).padStart(2, '0').toUpperCase()}`
    })
    .join('')
