import { thousands } from '../../shared/format.ts'
import { lengthOf, tidy, tidyLines, withoutEnding } from '../../shared/text.ts'
import { conductors } from './circuit.ts'
import { type AnswerValue, type HouseLoad, type LoadKind, loadKinds, type Question } from './report.ts'

/** An answer as stored, null when empty; or the error message. */
type Judged = { value: AnswerValue } | { message: string }

/** Parses one answer sent by a form or a phone. Without zod: it runs on the phone too. */
export function judgeAnswer(question: Question, sent: unknown): Judged {
  switch (question.kind) {
    case 'choice':
      return oneOf(Object.keys(question.options), sent)
    case 'choices':
      return someOf(question, sent)
    case 'conductor':
      return oneOf(
        conductors.map(({ gauge }) => gauge),
        sent,
      )
    case 'yesNo':
      return yesOrNo(sent)
    case 'tick':
      return { value: sent === true || sent === 'on' || sent === 'yes' || sent === 'true' ? true : null }
    case 'number':
      return numberIn(question, sent)
    case 'text':
      return textIn(question, sent)
    case 'lines':
      return within(tidyLines(sent), question.max)
    case 'loads':
      return loadsIn(sent)
  }
}

const oneOf = (known: readonly string[], sent: unknown): Judged => {
  const value = tidy(sent)
  if (value === '') return { value: null }
  return known.includes(value) ? { value } : { message: 'Elige una opción.' }
}

/** In the order of the list; none of them goes with no other. */
function someOf({ none, options }: Extract<Question, { kind: 'choices' }>, sent: unknown): Judged {
  const ticked = tidy(sent).split(',')
  if (ticked.some((one) => one !== '' && !Object.hasOwn(options, one)))
    return { message: 'Elige de la lista.' }
  const some = Object.keys(options).filter((one) => ticked.includes(one))
  const value = some.length > 1 ? some.filter((one) => one !== none) : some
  return { value: value.join(',') || null }
}

function yesOrNo(sent: unknown): Judged {
  if (sent === true || sent === 'yes') return { value: true }
  if (sent === false || sent === 'no') return { value: false }
  return tidy(sent) === '' ? { value: null } : { message: 'Elige sí o no.' }
}

type NumberRange = Pick<Extract<Question, { kind: 'number' }>, 'unit' | 'min' | 'max' | 'decimals'>

/** A number in the question's unit; a decimal comma counts as a point, and a typed unit is ignored. */
function numberIn({ unit, min, max, decimals }: NumberRange, sent: unknown): Judged {
  const typed = typeof sent === 'number' ? String(sent) : tidy(sent)
  const text = withoutEnding(typed, unit).replace(',', '.')
  if (text === '') return { value: null }
  const value = /^-?\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(value) || value < min || value > max) return { message: rangeOf(unit, min, max) }
  if (Math.abs(value * 10 ** decimals - Math.round(value * 10 ** decimals)) > 1e-6)
    return { message: decimals === 0 ? 'Escríbelo sin decimales.' : 'Escríbelo sin centésimas.' }
  return { value }
}

/** The range of a number in words. */
const rangeOf = (unit: string, min: number, max: number) =>
  `Escribe un número de ${min} a ${thousands(max)}\u00a0${unit}.`

function textIn({ digits, max }: Extract<Question, { kind: 'text' }>, sent: unknown): Judged {
  const text = tidy(sent)
  if (digits === undefined || text === '') return within(text, max)
  const figures = text.replace(/[\s-]/g, '')
  if (!/^\d+$/.test(figures) || figures.length !== digits)
    return { message: `Escribe los ${digits} dígitos.` }
  return { value: figures }
}

const within = (text: string, max: number): Judged =>
  lengthOf(text) > max ? { message: `Usa como máximo ${max} caracteres.` } : { value: text || null }

const mostLoads = 30
const watts = { unit: 'W', min: 1, max: 50_000, decimals: 0 }
const quantity = { unit: 'piezas', min: 1, max: 100, decimals: 0 }

const isBlank = (one: unknown) => typeof one !== 'number' && tidy(one) === ''

/** What stands for a home without large appliances; an empty list in an answer. */
export const noLoads = 'none'

/** The appliances of the home; empty rows are dropped. */
function loadsIn(sent: unknown): Judged {
  if (sent === null || sent === undefined) return { value: null }
  if (sent === noLoads || (Array.isArray(sent) && sent.length === 0)) return { value: [] }
  if (!Array.isArray(sent) || sent.length > mostLoads)
    return { message: `Pon como máximo ${mostLoads} aparatos.` }
  const loads: HouseLoad[] = []
  for (const row of sent) {
    const { kind, name, watts: power, quantity: pieces } = (row ?? {}) as Record<keyof HouseLoad, unknown>
    if ([name, power, pieces].every(isBlank)) continue
    const named = within(tidy(name), 60)
    const w = numberIn(watts, power)
    const q = numberIn(quantity, pieces)
    if ('message' in named || named.value === null) return { message: 'Escribe qué aparato es.' }
    if ('message' in w || w.value === null) return { message: `Watts de ${named.value}: de 1 a 50,000.` }
    if ('message' in q || q.value === null) return { message: `¿Cuántos hay de ${named.value}? De 1 a 100.` }
    // A phone that has not been updated sends none.
    const isKind = kind === undefined || Object.hasOwn(loadKinds, tidy(kind))
    if (!isKind) return { message: `¿${named.value} es clima o calefacción?` }
    loads.push({
      name: String(named.value),
      watts: Number(w.value),
      quantity: Number(q.value),
      ...(kind !== undefined && { kind: tidy(kind) as LoadKind }),
    })
  }
  return { value: loads.length > 0 ? loads : null }
}

// Separate from the form's rules, so that a screen that only needs the names does not load the validator.

/** The field name by which a reviewer requests an answer or a photo again. */
export const redoBox = (name: string) => `redo.${name}`

/** The names that were ticked in a form. */
export const redoOf = (sent: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(sent)
    .filter((box) => box.startsWith(redoBox('')))
    .map((box) => box.slice(redoBox('').length))

/** Why the office corrects no measurement. */
export const measuredWords = 'Lo que se midió solo lo corrige quien lo midió. Devuélvelo y pide la medición.'

/** The current answer: revision 0 and no author while it is only prefilled. */
export type AnswerState = {
  value: AnswerValue
  revision: number
  changedBy: string | null
  changedAt: Date | null
}

/** A change of an answer: its base revision, time and author. */
export type Made = { value: AnswerValue; base: number; at: Date; by: string }

/** Answers that identify a person. The permanent history records that they changed, not their values. */
export const personalAnswers: readonly string[] = [
  'customerName',
  'cfeServiceNumber',
  'meterNumber',
  'vehicle',
]

/**
 * The result of a change: written, nothing where the value is the same, else a conflict. The author of the last answer
 * may overwrite it, since their phone may not have received its confirmation yet.
 */
export function changeOutcome(now: AnswerState, made: Made): 'write' | 'same' | 'conflict' {
  if (isSame(now.value, made.value)) return 'same'
  if (now.revision === made.base) return 'write'
  const isOwn = now.changedBy === made.by && now.changedAt !== null
  return isOwn && made.at >= now.changedAt! ? 'write' : 'conflict'
}

/** Whether two answers are equal, ignoring the key order of appliances. */
export function isSame(one: AnswerValue, other: AnswerValue): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other
  return (
    one.length === other.length &&
    one.every(
      ({ kind, name, quantity, watts }, n) =>
        other[n].name === name &&
        other[n].watts === watts &&
        other[n].quantity === quantity &&
        other[n].kind === kind,
    )
  )
}
