import { mergeField, readName } from '../../shared/merging.ts'
import { optionNames } from './content.ts'
import {
  fieldsOf,
  type LineListName,
  lineField,
  optionField,
  type TypedLine,
  type TypedOption,
  type TypedQuote,
  typedQuoteIn,
} from './draft.ts'

/** What another person changed of a draft that one is writing; `both` where each gave a field another value. */
export type DraftChange = {
  label: string
  change: 'followed' | 'both'
  /** The form's name of the field; blank where it is about a whole line or option. */
  name: string
  theirs: string
  mine: string
}

const terms: Record<string, string> = {
  depositPercent: 'Anticipo (%)',
  validUntil: 'Vence',
  warrantyMonths: 'Garantía, en meses',
  exclusions: 'Qué no incluye',
  refundTerms: 'Qué se devuelve si cancela',
  notes: 'Notas para el cliente',
}
const ofOption: Record<string, string> = {
  summary: 'Para qué es',
  metres: 'Metros de recorrido',
  furtherPrice: 'Metro adicional, sin IVA',
}
const ofLine: Record<string, string> = {
  description: 'Descripción',
  quantity: 'Cantidad',
  unit: 'Unidad',
  unitPrice: 'Precio sin IVA',
  iva: 'IVA',
  kind: 'Tipo',
  satProduct: 'Clave del SAT',
  satUnit: 'Clave de unidad',
  discount: 'Descuento',
}

type Flat = Readonly<Record<string, string>>

/** The fields of one thing, each with whose value it takes. `tell` gets those that another person changed. */
function mergeFields<Thing extends Flat>(
  [read, mine, stored]: readonly [Flat | undefined, Thing, Thing],
  tell: (field: string, change: Omit<DraftChange, 'label' | 'name'>) => void,
): Thing {
  const merged = Object.keys(mine).map((field) => {
    const own = mine[field] ?? ''
    const posted = { [field]: own, ...(read && { [readName(field)]: read[field] ?? '' }) }
    const { change, shown, stored: theirs } = mergeField(posted, field, stored[field] ?? '')
    if (change !== 'none') tell(field, { change, theirs, mine: own })
    return [field, shown]
  })
  return Object.fromEntries(merged) as Thing
}

/** A form sends the fields in another order than they are stored, and with other line ends. */
const sorted = (_: string, part: unknown) => {
  if (typeof part === 'string') return part.replaceAll('\r\n', '\n')
  const isList = typeof part !== 'object' || part === null || Array.isArray(part)
  return isList ? part : Object.fromEntries(Object.entries(part).toSorted())
}
const textOf = (thing: object) => JSON.stringify(thing, sorted)

type Known = { id: string }
type Three<Thing> = { read: readonly Thing[]; mine: readonly Thing[]; stored: readonly Thing[] }

/**
 * Things of a list by their ids, in one's own order where it was changed, else in the stored one. What one person
 * removed stays where the other changed it.
 */
function mergeList<Thing extends Known>(
  { mine, read, stored }: Three<Thing>,
  merge: (read: Thing | undefined, mine: Thing, stored: Thing) => Thing,
  tell: (thing: Thing, words: string, change: DraftChange['change']) => void,
): Thing[] {
  const find = (all: readonly Thing[], id: string) => all.find((one) => one.id === id)
  const order = (all: readonly Thing[]) =>
    all.flatMap(({ id }) => (find(read, id) && find(mine, id) && find(stored, id) ? id : [])).join()
  const isMoved = order(mine) !== order(read)
  const keep = (id: string): Thing | null => {
    const was = find(read, id)
    const own = find(mine, id)
    const theirs = find(stored, id)
    if (own && theirs) return merge(was, own, theirs)
    const left = (own ?? theirs)!
    const isSame = was !== undefined && textOf(was) === textOf(left)
    if (own && was)
      tell(
        left,
        isSame ? 'se quitó' : 'se quitó; sigue aquí porque tú la cambiaste',
        isSame ? 'followed' : 'both',
      )
    if (theirs && !isSame)
      tell(left, was ? 'cambió; sigue aquí aunque la quitaste' : 'se agregó', was ? 'both' : 'followed')
    return isSame ? null : left
  }
  const [first, second] = isMoved ? [mine, stored] : [stored, mine]
  const ids = first.map(({ id }) => id)
  for (const [at, { id }] of second.entries())
    if (!ids.includes(id)) ids.splice(ids.indexOf(second[at - 1]?.id ?? '') + 1, 0, id)
  return ids.flatMap((id) => keep(id) ?? [])
}

const texts = ({ addOns: _, lines: __, ...rest }: TypedOption) => rest

/** New lines of both have the same ids: one's own get others, above all that are known. */
function apart({
  mine,
  read,
  stored,
}: {
  mine: TypedQuote
  read: TypedQuote
  stored: TypedQuote
}): TypedQuote {
  const linesIn = ({ options }: TypedQuote) => options.flatMap(({ addOns, lines }) => [...lines, ...addOns])
  const known = new Set(linesIn(read).map(({ id }) => id))
  const taken = new Map(linesIn(stored).flatMap((line) => (known.has(line.id) ? [] : [[line.id, line]])))
  let last = Math.max(
    Number(mine.lastId) || 0,
    Number(stored.lastId) || 0,
    ...linesIn(mine).map(({ id }) => Number(id) || 0),
  )
  // One that is stored as it is was saved by oneself before.
  const own = (line: TypedLine) => {
    const theirs = taken.get(line.id)
    return theirs && textOf(theirs) !== textOf(line) ? { ...line, id: String(++last) } : line
  }
  const options = mine.options.map((one) => ({
    ...one,
    lines: one.lines.map(own),
    addOns: one.addOns.map(own),
  }))
  return { ...mine, options, lastId: String(last) }
}

type Found = Omit<DraftChange, 'name'> & { at: (merged: TypedQuote) => string }
type Tell = (found: Found) => void

const tellWhole = (tell: Tell, label: string, change: DraftChange['change'], theirs: string) =>
  tell({ change, label, theirs, mine: '', at: () => '' })

/** Where an option is once all is merged. */
const nthOf = ({ options }: TypedQuote, id: string) => options.findIndex((one) => one.id === id)

function mergeLines(
  { mine, read, stored }: { mine: TypedOption; read: TypedOption | undefined; stored: TypedOption },
  list: LineListName,
  tell: Tell,
) {
  const { id } = mine
  const line = (was: TypedLine | undefined, own: TypedLine, theirs: TypedLine) =>
    mergeFields([was, own, theirs], (field, change) => {
      const at = (all: TypedQuote) => {
        const lines = all.options[nthOf(all, id)]![list]
        return lineField(
          nthOf(all, id),
          list,
          lines.findIndex((one) => one.id === own.id),
          field,
        )
      }
      const label = `${optionNames[id]}, ${own.description}: ${ofLine[field]}`
      if (ofLine[field]) tell({ ...change, label, at })
    })
  return mergeList<TypedLine>(
    { read: read?.[list] ?? [], mine: mine[list], stored: stored[list] },
    line,
    ({ description }, words, change) => tellWhole(tell, `${optionNames[id]}, ${description}`, change, words),
  )
}

function mergeOption(
  read: TypedOption | undefined,
  mine: TypedOption,
  stored: TypedOption,
  tell: Tell,
): TypedOption {
  const { id } = mine
  const fields = mergeFields([read && texts(read), texts(mine), texts(stored)], (field, change) => {
    const label = `${optionNames[id]}, ${ofOption[field]}`
    if (ofOption[field]) tell({ ...change, label, at: (all) => optionField(nthOf(all, id), field) })
  })
  const all = { mine, read, stored }
  // The lines were counted with the metres of one of both.
  const { counted } = fields.metres === mine.metres ? mine : stored
  return {
    ...fields,
    counted,
    lines: mergeLines(all, 'lines', tell),
    addOns: mergeLines(all, 'addOns', tell),
  }
}

/** One's own draft over what another person saved since it was `read`, and what that person changed. */
export function mergeDrafts(read: TypedQuote, typed: TypedQuote, stored: TypedQuote) {
  const found: Found[] = []
  const tell = (one: Found) => found.push(one)
  const { lastId, options: mine, ...own } = apart({ mine: typed, read, stored })
  const { lastId: _, options: theirs, ...storedTerms } = stored
  const { options: before, ...readTerms } = read
  const merged = mergeFields([readTerms, own, storedTerms], (field, change) =>
    tell({ ...change, label: terms[field] ?? field, at: () => field }),
  )
  const options = mergeList<TypedOption>(
    { read: before, mine, stored: theirs },
    (...three) => mergeOption(...three, tell),
    ({ id }, words, change) => tellWhole(tell, `Opción ${optionNames[id]}`, change, words),
  )
  const result: TypedQuote = { ...merged, lastId, options }
  return {
    typed: result,
    changes: found.map(({ at, ...change }): DraftChange => ({ ...change, name: at(result) })),
  }
}

/** The draft that a form was read with, as one hidden field carries it. */
export const draftField = (typed: TypedQuote): string => JSON.stringify(fieldsOf(typed))

/** The same from what was sent; null where it is none. */
export function draftRead(sent: string | undefined): TypedQuote | null {
  try {
    return typedQuoteIn(JSON.parse(sent ?? '') as Record<string, string>)
  } catch {
    return null
  }
}
