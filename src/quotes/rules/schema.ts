import { z } from 'zod'
import { clientInvitation, requiredCode } from '../../agencies/rules/referral-schema.ts'
import { shortestNote } from '../../appointments/rules/appointment.ts'
import { chosenIds } from '../../appointments/rules/chosen-rows-schema.ts'
import { addressInputBy } from '../../projects/rules/schema.ts'
import { addDays } from '../../shared/calendar.ts'
import { discountOf, metresOf, quantityOf, unitPriceOf, wholeOf } from '../../shared/money.ts'
import {
  choice,
  noFields,
  optionalText,
  requiredText,
  seenVersion,
  staleForm,
  ticked,
} from '../../shared/schema.ts'
import { lengthOf, tidy, tidyLines, withoutEnding } from '../../shared/text.ts'
import {
  type ChargedLine,
  chargedKinds,
  codeShape,
  type IvaRate,
  ivaLabels,
  type QuoteContent,
  type QuoteLine,
  type QuoteOption,
  quoteLimits,
  satShapes,
} from './content.ts'
import {
  followedField,
  isDiscount,
  lineField,
  optionField,
  renumbered,
  type TypedLine,
  type TypedOption,
  type TypedQuote,
  typedQuoteIn,
} from './draft.ts'
import { rejectReasons } from './quote.ts'

/** A draft as stored, or its errors by field name. */
type JudgedQuote = { content: QuoteContent } | { errors: Record<string, string> }

/** Reports an error of a field; the first message of a field is kept. */
type Tell = (name: string, message: string) => void

/** Parses a draft typed on a local day. */
export function judgeQuote(sent: TypedQuote, today: string): JudgedQuote {
  const errors: Record<string, string> = {}
  const tell: Tell = (name, message) => {
    errors[name] ??= message
  }
  const typed = renumbered(sent)
  if (!isOurs(typed)) tell('options', staleForm)
  const content = {
    options: typed.options.map((option, n) => optionIn(option, n, tell)),
    depositPercent: whole(typed.depositPercent, quoteLimits.depositPercent, 'depositPercent', tell),
    validUntil: lastDay(typed.validUntil, today, tell),
    warrantyMonths: whole(typed.warrantyMonths, quoteLimits.warrantyMonths, 'warrantyMonths', tell),
    exclusions: lines(typed.exclusions, quoteLimits.exclusions, 'exclusions', tell),
    refundTerms: lines(typed.refundTerms, quoteLimits.notes, 'refundTerms', tell),
    notes: lines(typed.notes, quoteLimits.notes, 'notes', tell),
  }
  return Object.keys(errors).length > 0 ? { errors } : { content }
}

/** Whether the options are those that the builder offers. */
const isOurs = ({ options }: TypedQuote): boolean =>
  options.length > 0 && new Set(options.map(({ id }) => id)).size === options.length

/** The form of a draft: its whole content, judged field by field. */
export const quoteInput = (today: string) =>
  z.record(z.string(), z.string()).transform((form, ctx) => {
    const judged = judgeQuote(typedQuoteIn(form), today)
    const isLeft = Boolean(form.adding?.trim())
    if ('content' in judged && !isLeft) return judged.content
    if (isLeft) ctx.addIssue({ code: 'custom', path: ['adding'], message: notAdded })
    // What a line has of another one is refused once, in the box where it was typed.
    const isTyped = (name: string) =>
      form[name] !== undefined || form[followedField(form, name)] === undefined
    for (const [name, message] of Object.entries('errors' in judged ? judged.errors : {}))
      if (isTyped(name)) ctx.addIssue({ code: 'custom', path: [name], message })
    return z.NEVER
  })

const notAdded = 'Esto todavía no está en la cotización: agrégalo o bórralo.'

/** The version of a draft that a form was shown with; 0 before it was saved. */
const shownVersion = z.coerce.number<string>(staleForm).int(staleForm).min(0, staleForm).max(1e9, staleForm)

/** What the page says for its author, if anything. */
const hiddenWords = z.string().max(2000, staleForm).default('')

/** The open version that a new one is sent in the place of; blank where there is none. */
const replacedQuote = z.union([z.literal(''), z.uuid(staleForm)]).default('')

/** A stored draft in the version shown. */
const aboutDraft = { quoteId: z.uuid(staleForm), version: shownVersion }

/** The forms of the builder: to save, send or preview, each carries the whole draft. */
export const buildInput = (today: string) => {
  const whole = z.intersection(
    z.object({ version: shownVersion }),
    quoteInput(today).transform((content) => ({ content })),
  )
  return {
    'save-quote': whole,
    'send-quote': z.intersection(
      whole,
      z.object({ meant: hiddenWords, replaces: replacedQuote, catalogue: hiddenWords }),
    ),
    'preview-quote': whole,
    'discard-quote': z.object({ version: shownVersion }),
    'ask-approval': z.object({
      ...aboutDraft,
      reason: requiredText('Escribe por qué conviene, para la gerencia.', 300),
    }),
    // The customer's code changes a draft without another version.
    'approve-quote': z.object({ ...aboutDraft, discountShare: shownVersion }),
    'return-quote': z.object({
      ...aboutDraft,
      words: requiredText('Escribe qué hay que cambiar, para quien la hizo.', 300),
    }),
  }
}

function whole(typed: string, [least, most]: readonly [number, number], name: string, tell: Tell): number {
  const value = wholeOf(withoutEnding(tidy(typed), '%'))
  if (value === null || value < least || value > most)
    tell(name, `Escribe un número entero de ${least} a ${most}.`)
  return value ?? least
}

function lastDay(typed: string, today: string, tell: Tell): string {
  const date = tidy(typed)
  const [least, most] = quoteLimits.validDays
  const isDate = z.iso.date().safeParse(date).success
  if (!isDate || date < addDays(today, least) || date > addDays(today, most))
    tell('validUntil', `Elige un día de mañana en adelante, a ${most} días como máximo.`)
  return date
}

function lines(typed: string, max: number, name: string, tell: Tell): string {
  const text = tidyLines(typed)
  if (lengthOf(text) > max) tell(name, tooLong(max))
  return text
}

function line(typed: string, max: number, name: string, tell: Tell, blank?: string): string {
  const text = tidy(typed)
  if (blank && text === '') tell(name, blank)
  if (lengthOf(text) > max) tell(name, tooLong(max))
  return text
}

const tooLong = (max: number) => `Usa como máximo ${max} caracteres.`

function optionIn(option: TypedOption, n: number, tell: Tell): QuoteOption {
  const field = (name: string) => optionField(n, name)
  const all = option.lines.map((typed, at) => lineIn(typed, (name) => lineField(n, 'lines', at, name), tell))
  if (!all.some(({ kind }) => kind !== 'discount'))
    tell(field('lines'), 'Esta opción no cobra nada todavía. Agrega al menos una partida.')
  tooMany(all.length, quoteLimits.lines[1], field('lines'), tell)
  tooMany(option.addOns.length, quoteLimits.addOns[1], field('addOns'), tell)
  return {
    id: option.id,
    summary: line(option.summary, quoteLimits.summary, field('summary'), tell),
    lines: all,
    addOns: option.addOns.map((typed, at) =>
      chargedIn(typed, (name) => lineField(n, 'addOns', at, name), tell),
    ),
    metres: metresIn(option, field, tell),
  }
}

const tooMany = (count: number, most: number, name: string, tell: Tell) => {
  if (count > most) tell(name, `Son ${count}; caben ${most}. Quita las que sobran.`)
}

function metresIn({ furtherPrice, metres }: TypedOption, field: (name: string) => string, tell: Tell) {
  const typedMetres = tidy(metres)
  const typedPrice = tidy(furtherPrice)
  if (typedMetres === '' && typedPrice === '') return null
  const included = metresOf(typedMetres)
  const price = unitPriceOf(typedPrice)
  if (included === null || included > 9999_9)
    tell(field('metres'), 'Escribe los metros con un decimal como máximo, o deja las dos casillas vacías.')
  if (price === null || price > quoteLimits.unitPrice[1]) tell(field('furtherPrice'), priceWords)
  return { included: included ?? 0, furtherPrice: price ?? 0 }
}

type FieldName = (name: string) => string

const lineIn = (typed: TypedLine, field: FieldName, tell: Tell): QuoteLine =>
  isDiscount(typed) ? discountIn(typed, field, tell) : chargedIn(typed, field, tell)

function discountIn(typed: TypedLine, field: FieldName, tell: Tell): QuoteLine {
  const off = discountOf(tidy(typed.discount))
  const [least, most] = off?.amount == null ? quoteLimits.discountPercent : quoteLimits.discountAmount
  const value = off?.amount ?? off?.percent
  if (value === undefined || value < least || value > most)
    tell(field('discount'), 'Escribe cuánto se descuenta: 10\u00a0% o $500.00.')
  return {
    id: typed.id,
    kind: 'discount',
    description: described(typed, field, tell),
    ...(off ?? { amount: 0, percent: null }),
  }
}

const described = ({ description }: TypedLine, field: FieldName, tell: Tell) =>
  line(description, quoteLimits.description, field('description'), tell, 'Escribe qué es.')

const priceWords = 'Escribe el precio como 1,250.50, con 4 decimales como máximo.'

function chargedIn(typed: TypedLine, field: FieldName, tell: Tell): ChargedLine {
  const quantity = quantityOf(tidy(typed.quantity))
  const unitPrice = unitPriceOf(tidy(typed.unitPrice))
  if (quantity === null || quantity < quoteLimits.quantity[0] || quantity > quoteLimits.quantity[1])
    tell(field('quantity'), 'Escribe cuánto, de 0.001 a 9,999.999.')
  if (unitPrice === null || unitPrice > quoteLimits.unitPrice[1]) tell(field('unitPrice'), priceWords)
  if (!Object.hasOwn(chargedKinds, typed.kind)) tell(field('kind'), 'Elige de qué tipo es.')
  if (!Object.hasOwn(ivaLabels, typed.iva)) tell(field('iva'), 'Elige el IVA.')
  return {
    id: typed.id,
    kind: typed.kind as ChargedLine['kind'],
    description: described(typed, field, tell),
    unit: line(typed.unit, quoteLimits.unit, field('unit'), tell, 'Escribe en qué se mide.'),
    quantity: quantity ?? 0,
    unitPrice: unitPrice ?? 0,
    iva: Number(typed.iva) as IvaRate,
    satProduct: key(typed.satProduct, 'satProduct', field, tell),
    satUnit: key(typed.satUnit, 'satUnit', field, tell),
    ...(codeShape.test(typed.code) && { code: typed.code }),
  }
}

function key(typed: string, name: keyof typeof satShapes, field: FieldName, tell: Tell): string {
  const [shape, message] = satShapes[name]
  const text = tidy(typed).toUpperCase()
  if (!shape.test(text)) tell(field(name), message)
  return text
}

const quoteId = z.uuid(staleForm)
const common = { quoteId, version: seenVersion }

const nameWords = 'Escribe tu nombre completo, como firmas.'

/** Two words of letters at least: a first name alone is no signature. */
const isWhole = (name: string) => name.split(' ').filter((word) => /\p{L}{2}/u.test(word)).length >= 2

/** Add-ons are separate boxes, which `quoteChoiceIn` reads. */
const accepting = z.looseObject({
  ...common,
  digest: z.string(staleForm).regex(/^[0-9a-f]{64}$/, staleForm),
  option: requiredText('Elige una opción.', 40),
  name: requiredText(nameWords, 160).refine(isWhole, nameWords),
  conditions: ticked.refine((is) => is, 'Marca que leíste y aceptas las condiciones.'),
  /** Centavos of the total on the screen; blank where no script computed it. */
  seenTotal: z
    .string()
    .regex(/^\d{0,15}$/, staleForm)
    .default(''),
})

const rejecting = z
  .object({
    ...common,
    reason: choice(rejectReasons, 'Elige un motivo.'),
    note: optionalText(500),
  })
  .superRefine(({ note, reason }, { addIssue }) => {
    if (reason === 'other' && lengthOf(note ?? '') < shortestNote)
      addIssue({
        code: 'custom',
        path: ['note'],
        message: `Cuenta por qué, con al menos ${shortestNote} caracteres.`,
      })
  })

const askingChanges = z.object({
  ...common,
  changes: requiredText('Escribe qué te gustaría cambiar.', 2000),
})

/** One tap: requests a new quote for one that ended. */
const askingAnew = z.object({ quoteId })

/** A code that the customer enters before accepting. */
const redeeming = z.object({
  codigo: requiredCode,
  registro: clientInvitation,
})

const noting = z.object({ quoteId })

/** The customer or the manager cancels an accepted quote. */
const cancelling = z.object({
  ...common,
  reason: requiredText('Escribe por qué se cancela.', 500),
})

/** The forms of a customer's page of quotes, by their intent. */
export const ownQuoteInput = {
  'accept-quote': accepting,
  'reject-quote': rejecting,
  'ask-changes': askingChanges,
  'ask-anew': askingAnew,
  'redeem-code': redeeming,
  'note-viewed': noting,
  'cancel-quote': cancelling,
}
export type Accepting = z.output<typeof accepting>
export type Redeeming = z.output<typeof redeeming>

/** The office's forms for a sent quote, by their intent. */
export const quoteDeskInput = {
  'revise-quote': noFields,
  'withdraw-quote': z.object({ version: seenVersion, reason: optionalText(500) }),
  'cancel-quote': z.object({
    version: seenVersion,
    reason: requiredText('Escribe por qué se cancela.', 500),
  }),
}

const approvedHome = z.object({
  version: seenVersion,
  stands: z.enum(['yes', 'no'], 'Elige qué pasa con la cotización.').transform((chosen) => chosen === 'yes'),
  reason: requiredText('Escribe por qué: el cliente lo lee.', 500),
})

/** The address that the manager approves instead of the quoted one, and what happens to the quote. */
export const approvedHomeInput = (...places: Parameters<typeof addressInputBy>) =>
  z.intersection(addressInputBy(...places), approvedHome)

const upper = (shape: RegExp, message: string) =>
  z.preprocess((typed) => tidy(typed).toUpperCase(), z.string().regex(shape, message))

/** A unit price in a form. */
const price = z.preprocess(
  tidy,
  z.string().transform((typed, ctx) => {
    const read = unitPriceOf(typed)
    if (read !== null && read <= quoteLimits.unitPrice[1]) return read
    ctx.addIssue('Escribe el precio como 1,250.50, con 4 decimales como máximo.')
    return z.NEVER
  }),
)

/** Unit cost for the company, blank where it is unknown. */
const cost = z.preprocess(
  tidy,
  z.string().transform((typed, ctx) => {
    if (typed === '') return null
    const read = unitPriceOf(typed)
    if (read !== null && read <= quoteLimits.unitPrice[1]) return read
    ctx.addIssue('Escribe el costo como 1,250.50, o deja la casilla vacía.')
    return z.NEVER
  }),
)

/** The form of a catalogue item, without its code. */
export const catalogueInput = z.object({
  description: requiredText('Escribe qué es.', quoteLimits.description),
  kind: choice(chargedKinds, 'Elige de qué tipo es.'),
  unit: requiredText('Escribe en qué se mide: m, pieza, servicio.', quoteLimits.unit),
  unitPrice: price,
  unitCost: cost,
  iva: z.enum(['16', '0'], 'Elige el IVA.').transform((typed) => Number(typed) as IvaRate),
  satProduct: upper(...satShapes.satProduct),
  satUnit: upper(...satShapes.satUnit),
  active: ticked,
  /** The price that the user confirmed, if the form asked. */
  sure: z
    .preprocess(tidy, z.string())
    .transform((typed) => (/^\d{1,12}$/.test(typed) ? Number(typed) : null)),
})
export type CatalogueInput = z.output<typeof catalogueInput>

/** The permanent code of a new item. */
const catalogueCode = upper(codeShape, 'Usa de 2 a 20 letras, números o guiones, como CAB-8.')

/** The forms of one item of the catalogue, by their intent. */
export const catalogueForms = {
  'settings.catalogue.add': catalogueInput.extend({ code: catalogueCode }),
  'settings.catalogue.edit': catalogueInput.extend({ code: catalogueCode, version: seenVersion }),
}

/** The forms of the list: reminders of the ticked quotes, and the quote of a visit that its author takes. */
export const quoteListForms = {
  'remind-quotes': chosenIds('Marca al menos una cotización.'),
  'take-quote': z.object({ appointmentId: z.uuid() }),
}
