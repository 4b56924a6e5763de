import { isCharged, type OptionId, type QuoteContent, type QuoteLine, type QuoteOption } from './content.ts'
import { totalsOfOption } from './totals.ts'

/** The fields of a line whose changes a customer sees. */
type ChangeText = 'description' | 'unit' | 'quantity' | 'unitPrice' | 'iva' | 'kind' | 'amount' | 'percent'

/** A line in both versions. `isAddOn` says where it is, or was. */
export type LineChange =
  | { change: 'added'; isAddOn: boolean; after: QuoteLine }
  | { change: 'removed'; isAddOn: boolean; before: QuoteLine }
  | { change: 'changed'; isAddOn: boolean; before: QuoteLine; after: QuoteLine }
  /** It was included and is now an add-on, or the other way round. */
  | { change: 'moved'; isAddOn: boolean; before: QuoteLine; after: QuoteLine }

/** An option in both versions: null where it does not exist. Totals with IVA, without add-ons, in centavos. */
export type OptionChange = {
  option: OptionId
  before: number | null
  after: number | null
  lines: readonly LineChange[]
  /** The cable included, or the price of each further metre. */
  metres: { before: QuoteOption['metres']; after: QuoteOption['metres'] } | null
}

/** The terms whose changes a customer sees, before and after. */
export type TermChange = {
  [Term in keyof Terms]: { term: Term; before: Terms[Term]; after: Terms[Term] }
}[keyof Terms]
type Terms = Pick<QuoteContent, 'depositPercent' | 'warrantyMonths' | 'exclusions' | 'refundTerms' | 'notes'>

export type QuoteDifference = { options: readonly OptionChange[]; terms: readonly TermChange[] }

/** The changes from one version of a quote to the next, line by line; unchanged lines are left out. */
export function differenceOf(before: QuoteContent, after: QuoteContent): QuoteDifference {
  const ids = [...new Set([...after.options, ...before.options].map(({ id }) => id))]
  const find = ({ options }: QuoteContent, id: OptionId) => options.find((option) => option.id === id)
  return {
    options: ids
      .map((id) => optionChange(id, find(before, id), find(after, id)))
      .filter((change) => change !== null),
    terms: terms.flatMap((term) =>
      before[term] === after[term] ? [] : [{ term, before: before[term], after: after[term] } as TermChange],
    ),
  }
}

const terms = [
  'depositPercent',
  'warrantyMonths',
  'exclusions',
  'refundTerms',
  'notes',
] as const satisfies (keyof Terms)[]

/** Null where nothing changed. A new or removed option is described by its total, since all of its lines changed. */
function optionChange(
  option: OptionId,
  before: QuoteOption | undefined,
  after: QuoteOption | undefined,
): OptionChange | null {
  const totals = {
    before: before ? totalsOfOption(before).total : null,
    after: after ? totalsOfOption(after).total : null,
  }
  if (!before || !after) return { option, ...totals, lines: [], metres: null }
  const lines = lineChanges(before, after)
  const metres = sameMetres(before, after) ? null : { before: before.metres, after: after.metres }
  return lines.length === 0 && !metres ? null : { option, ...totals, lines, metres }
}

const sameMetres = ({ metres: a }: QuoteOption, { metres: b }: QuoteOption) =>
  a?.included === b?.included && a?.furtherPrice === b?.furtherPrice

type Placed = { line: QuoteLine; isAddOn: boolean }
const placed = ({ addOns, lines }: QuoteOption): Placed[] => [
  ...lines.map((line) => ({ line, isAddOn: false })),
  ...addOns.map((line) => ({ line, isAddOn: true })),
]

/** In the order of the new version, removed lines last. */
function lineChanges(before: QuoteOption, after: QuoteOption): LineChange[] {
  const was = placed(before)
  const is = placed(after)
  const old = new Map(was.map((one) => [one.line.id, one]))
  const kept = new Set(is.map(({ line }) => line.id))
  return [
    ...is.flatMap((one) => changeOf(old.get(one.line.id), one)),
    ...was
      .filter(({ line }) => !kept.has(line.id))
      .map(({ isAddOn, line }): LineChange => ({ change: 'removed', isAddOn, before: line })),
  ]
}

function changeOf(was: Placed | undefined, { isAddOn, line: after }: Placed): LineChange[] {
  if (!was) return [{ change: 'added', isAddOn, after }]
  const before = was.line
  if (was.isAddOn !== isAddOn) return [{ change: 'moved', isAddOn, before, after }]
  return changedIn(before, after).length > 0 ? [{ change: 'changed', isAddOn, before, after }] : []
}

const ofCharged = ['kind', 'description', 'unit', 'quantity', 'unitPrice', 'iva'] as const
const ofDiscount = ['kind', 'description', 'amount', 'percent'] as const

/** The changes of a line that a customer would see; the SAT's keys are not among them. */
export function changedIn(before: QuoteLine, after: QuoteLine): ChangeText[] {
  if (isCharged(before) && isCharged(after)) return ofCharged.filter((name) => before[name] !== after[name])
  if (!isCharged(before) && !isCharged(after))
    return ofDiscount.filter((name) => before[name] !== after[name])
  return ['kind']
}
