import { discountOf, discountText } from '../../shared/money.ts'
import { tidy, withoutAccents } from '../../shared/text.ts'
import { type CatalogueItem, chargedKinds, lineFrom } from './content.ts'
import { blankLine, type TypedLine, typedLine } from './draft.ts'

/** What a typed text adds: a line, or one of several items that the author chooses from; else why nothing. */
type Typed = {
  line: TypedLine | null
  candidates: readonly Pick<CatalogueItem, 'code' | 'description'>[]
  note: string
}

/** In the place of an item's code: the text as it is, as a line that the catalogue lacks. */
export const byHand = 'texto'

const mostCandidates = 8

/** Words that people use for those of the catalogue. */
const synonyms: Partial<Record<string, string>> = {
  breaker: 'interruptor',
  metro: 'm',
  p: 'polo',
  pastilla: 'interruptor',
  tubo: 'tuberia',
}
const fillers = 'a ante con de del el en la las los para por un una x y'.split(' ')

type Match = { item: CatalogueItem; score: number; quantity: string | undefined; amps: string | undefined }

const isNumber = (part: string) => /^\d/.test(part)
const partsOf = (text: string) =>
  (withoutAccents(text).match(/\d+(?:[.,]\d+)*|[a-z]+/g) ?? []).map((part) => part.replaceAll(',', ''))
/** Without fillers, in the singular, and as the catalogue says it. */
const wordsIn = (parts: readonly string[]) =>
  parts
    .filter((part) => !isNumber(part) && !fillers.includes(part))
    .map((part) => part.replace(/(?<=[a-z]{3})e?s$/, ''))
    .map((part) => synonyms[part] ?? part)

/** The sizes that an item stands for. */
const sizes = /\bde (\d+) a (\d+)(?= A\b)/

/** How an item fits what was typed: all words are its own, and all numbers but one, its quantity; null where not. */
function matched(item: CatalogueItem, parts: readonly string[]): Match | null {
  const { description, kind, unit } = item
  const [, least, most] = sizes.exec(description) ?? []
  const own = partsOf([description.replace(sizes, ''), unit, chargedKinds[kind]].join(' '))
  const words = wordsIn(parts)
  const left = parts.filter(isNumber)
  const count = left.length
  const amps = left.find((number) => Number(number) >= Number(least) && Number(number) <= Number(most))
  for (const number of [...own, amps ?? '']) if (left.includes(number)) left.splice(left.indexOf(number), 1)
  const isOwn = (word: string) => own.some((one) => (word.length > 1 ? one.startsWith(word) : one === word))
  const belonging = count - left.length
  if (left.length > 1 || words.length + belonging === 0 || !words.every(isOwn)) return null
  const isFirst = words.some((word) => own[0]!.startsWith(word))
  return { item, amps, quantity: left[0], score: belonging * 2 + Number(isFirst) }
}

/** An item that the text begins with, as it is in the catalogue. */
function exactly(text: string, catalogue: readonly CatalogueItem[]): Match[] {
  const whole = `${withoutAccents(text)} `
  return catalogue.flatMap((item) => {
    const name = [item.code, item.description].find((one) => whole.startsWith(`${withoutAccents(one)} `))
    const quantity = partsOf(whole.slice(name?.length)).findLast(isNumber)
    return name === undefined ? [] : [{ item, quantity, score: 0, amps: undefined }]
  })
}

/**
 * Reads what its author types to add a line: "8 awg 39", "pastilla 50", "descuento 5 %". Accents and case do not count. A
 * number of an item's name, as its gauge or a size that it stands for, belongs to it; the one left over is the
 * quantity. `code` is the item that was chosen among candidates.
 */
export function readAdding(typed: string, catalogue: readonly CatalogueItem[], code?: string): Typed {
  const text = tidy(typed)
  if (text === '') return nothing('Escribe qué agregar.')
  if (code === byHand) return { ...nothing(''), line: handWritten(text) }
  if (/\bdescuento\b/i.test(text)) return discountIn(text)
  const named = exactly(text, catalogue)
  const parts = partsOf(text)
  const all = named.length > 0 ? named : catalogue.flatMap((item) => matched(item, parts) ?? [])
  const most = Math.max(...all.map(({ score }) => score))
  const best = all.filter(({ item, score }) => (code ? item.code === code : score === most))
  const [only, ...more] = best
  if (!only) {
    const candidates = [{ code: byHand, description: 'Agregarla a mano' }]
    return { candidates, line: null, note: `No encontramos «${text}» en el catálogo.` }
  }
  const candidates = best.slice(0, mostCandidates).map(({ item }) => item)
  return more.length > 0
    ? { candidates, line: null, note: 'Hay varias partidas así. Elige cuál:' }
    : { ...nothing(''), line: lineOf(only) }
}

const nothing = (note: string): Typed => ({ line: null, candidates: [], note })

const lineOf = ({ amps, item, quantity = '1' }: Match): TypedLine => ({
  ...typedLine(lineFrom(item, '')),
  quantity,
  description: amps ? item.description.replace(sizes, amps) : item.description,
})

/** A number at its end is the quantity. */
function handWritten(text: string): TypedLine {
  const [, description = text, quantity = '1'] = /^(.+) (\d[\d.,]*)$/.exec(text) ?? []
  return { ...blankLine, description, quantity }
}

function discountIn(text: string): Typed {
  const [amount = ''] = /\$ ?\d[\d.,]{0,14}|\d[\d.,]{0,14} ?%/.exec(text) ?? []
  const off = discountOf(amount)
  if (!off) return nothing('Escribe cuánto se descuenta: descuento 5\u00a0% o descuento $500.')
  const words = text
    .replace(amount, '')
    .trim()
    .replace(/^de | de$/g, '')
  const description = words.charAt(0).toUpperCase() + words.slice(1)
  return {
    ...nothing(''),
    line: { ...blankLine, kind: 'discount', description, discount: discountText(off) },
  }
}
