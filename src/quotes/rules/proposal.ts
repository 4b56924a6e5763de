import { type Gauge, groundConductorFor, polesOf, type Supply } from '../../reports/rules/circuit.ts'
import { calculationOf } from '../../reports/rules/passport.ts'
import type { Answers } from '../../reports/rules/report.ts'
import type { Settings } from '../../settings/rules/settings-schema.ts'
import { addDays, localDate, toMinutes } from '../../shared/calendar.ts'
import {
  type CatalogueItem,
  type ChargedLine,
  isCharged,
  lineFrom,
  type OptionId,
  optionIds,
  type QuoteContent,
  type QuoteLine,
  type QuoteOption,
} from './content.ts'
import type { QuoteKind } from './quote.ts'
import { grossOf, priceWithIva, totalsOf, totalsOfOption } from './totals.ts'

/**
 * The values that the rules read in an approved report: metres along the cable's route, currents in amperes, hours of
 * work.
 */
type Found = {
  metres: number
  /** Gauges of the chosen conductor and of its earth wire. */
  gauge: string
  earthGauge: string
  breaker: number
  supply: Supply
  poles: 1 | 2 | 3
  kilowatts: number
  hours: number
  answers: Answers
}

/** Current-carrying conductors: one hot and neutral, two hots, or three hots and neutral. */
const conductorsOf: Record<Supply, 2 | 4> = { single: 2, split: 2, two: 2, three: 4 }

/** The catalogue has one price for breakers of neighbouring sizes. */
const breakerSizes = [30, 60, 100] as const
const conduits: Record<string, string> = { visible: 'TUB-VIS', embedded: 'TUB-EMP', underground: 'TUB-SUB' }

/** Chargers by power in kW: the smallest that is sufficient. */
const chargers = [
  { upTo: 7.7, code: 'CAR-7' },
  { upTo: 11.5, code: 'CAR-11' },
  { upTo: 22, code: 'CAR-22' },
] as const

/** The hours of a usual installation; more are charged. */
const usualHours = 4

/** Metres to the pole beyond which CFE requires a feasibility study. */
const farPole = 35

/** Amperes above which the charger needs its own disconnect. */
const bigBreaker = 60

type Rule = {
  /** The catalogue code. */
  code: string | ((found: Found) => string | undefined)
  options: readonly OptionId[]
  /** The quantity, in thousandths of its unit; zero where it is not needed. */
  quantity: (found: Found) => number
  /** The exact description, where the catalogue's covers a whole family. */
  words?: (found: Found) => string
}

const everywhere: readonly OptionId[] = optionIds
const fromRecommended: readonly OptionId[] = ['recommended', 'complete']
const onlyComplete: readonly OptionId[] = ['complete']

const one = () => 1000
const when = (holds: (found: Found) => boolean) => (found: Found) => (holds(found) ? 1000 : 0)
const whenAnswered = (name: string, value: unknown) => when(({ answers }) => answers[name] === value)

/** Metres have one decimal, so their thousandths are whole. */
const thousandths = (amount: number) => Math.round(amount * 1000)
const metres = ({ metres }: Found) => thousandths(metres)

/** The lines that an approved report requires, in the order of the quote. */
const rules: readonly Rule[] = [
  {
    code: ({ kilowatts }) => chargers.find(({ upTo }) => kilowatts <= upTo)?.code,
    options: everywhere,
    quantity: whenAnswered('chargerSupplier', 'ours'),
  },
  {
    code: ({ gauge }) => `CAB-${gauge}`,
    options: everywhere,
    quantity: ({ metres, supply }) => thousandths(metres) * conductorsOf[supply],
  },
  {
    code: ({ earthGauge }) => `CAB-${earthGauge}`,
    options: everywhere,
    quantity: metres,
    words: ({ earthGauge }) => `Cable de cobre THW calibre ${earthGauge} AWG, para tierra`,
  },
  { code: ({ answers }) => conduits[String(answers.route)], options: everywhere, quantity: metres },
  {
    code: ({ breaker, poles }) => `INT-${poles}P-${breakerSizes.find((size) => breaker <= size)}`,
    options: everywhere,
    quantity: one,
    words: ({ breaker, poles }) =>
      `Interruptor termomagnético de ${poles} ${poles === 1 ? 'polo' : 'polos'}, ${breaker} A`,
  },
  {
    code: 'CEN-8',
    options: everywhere,
    quantity: when(({ answers, poles }) => Number(answers.sparePoles) < poles),
  },
  { code: 'TIE-VAR', options: everywhere, quantity: whenAnswered('groundOk', false) },
  { code: 'PRO-SOB', options: fromRecommended, quantity: one },
  { code: 'DES-60', options: everywhere, quantity: when(({ breaker }) => breaker > bigBreaker) },
  { code: 'DES-60', options: onlyComplete, quantity: when(({ breaker }) => breaker <= bigBreaker) },
  { code: 'SOP-CAB', options: onlyComplete, quantity: one },
  { code: 'MO-BASE', options: everywhere, quantity: one },
  { code: 'MO-MET', options: everywhere, quantity: metres },
  {
    code: 'MO-HORA',
    options: everywhere,
    quantity: ({ hours }) => thousandths(Math.max(0, hours - usualHours)),
  },
  { code: 'MED-2', options: everywhere, quantity: whenAnswered('meterChoice', 'second') },
  { code: 'PRU-1', options: everywhere, quantity: one },
  { code: 'MAN-1', options: onlyComplete, quantity: one },
  { code: 'TRA-MED', options: everywhere, quantity: whenAnswered('meterChoice', 'second') },
  { code: 'TRA-CAR', options: everywhere, quantity: whenAnswered('loadIncrease', true) },
  {
    code: 'TRA-FAC',
    options: everywhere,
    quantity: when(
      ({ answers }) =>
        (answers.meterChoice === 'second' || answers.loadIncrease === true) &&
        (Number(answers.poleDistance) > farPole || answers.supply === 'three'),
    ),
  },
  { code: 'UVIE-1', options: everywhere, quantity: whenAnswered('needsUvie', true) },
  { code: 'PER-CON', options: everywhere, quantity: whenAnswered('needsPermit', true) },
  { code: 'VIA-1', options: everywhere, quantity: one },
]

/** Add-ons offered where an option does not include them. */
const addOns: readonly string[] = ['PRO-SOB', 'PED-1', 'MAN-1']

const summaries: Record<OptionId, string> = {
  essential: 'Lo necesario para cargar tu auto con seguridad.',
  recommended: 'Lo esencial, y protección contra variaciones de voltaje.',
  complete: 'Todo lo anterior, desconexión junto al cargador y un mantenimiento al año.',
}

/** The proposed options, and the codes of the rules that the catalogue lacks. */
export type QuoteProposal = { options: QuoteOption[]; missing: string[] }

/** The options for an approved report, at the catalogue's prices; null where its answers are not sufficient. */
export function proposeOptions(answers: Answers, catalogue: readonly CatalogueItem[]): QuoteProposal | null {
  const found = foundIn(answers)
  if (!found) return null
  const items = new Map(catalogue.map((item) => [item.code, item]))
  const missing = new Set<string>()
  let lastId = 0
  const lineOf = (code: string, quantity: number, description?: string): ChargedLine[] => {
    const item = items.get(code)
    if (!item) missing.add(code)
    return item
      ? [{ ...lineFrom(item, String(++lastId), quantity), ...(description && { description }) }]
      : []
  }
  const options = optionIds.map((id): QuoteOption => {
    const asked = rules
      .filter((rule) => rule.options.includes(id))
      .map((rule) => ({ rule, code: codeOf(rule, found), quantity: rule.quantity(found) }))
      .filter(({ quantity }) => quantity > 0)
    const has = new Set(asked.map(({ code }) => code))
    return {
      id,
      summary: summaries[id],
      lines: asked.flatMap(({ rule, code, quantity }) => lineOf(code, quantity, rule.words?.(found))),
      addOns: addOns.filter((code) => !has.has(code)).flatMap((code) => lineOf(code, 1000)),
      metres: { included: Math.round(found.metres * 10), furtherPrice: furtherPrice(found, items) },
    }
  })
  return { options, missing: [...missing] }
}

const codeOf = ({ code }: Rule, found: Found) => (typeof code === 'string' ? code : code(found)) ?? 'CAR'

/** The price of one more metre: all items charged by the metre. */
function furtherPrice(found: Found, items: ReadonlyMap<string, CatalogueItem>): number {
  const { answers, earthGauge, gauge, supply } = found
  const price = (code: string | undefined) => items.get(code ?? '')?.unitPrice ?? 0
  const cable = conductorsOf[supply] * price(`CAB-${gauge}`) + price(`CAB-${earthGauge}`)
  return cable + price(conduits[String(answers.route)]) + price('MO-MET')
}

function foundIn(answers: Answers): Found | null {
  const { chargerDistance, chargerKilowatts, chargerSupply, conductor, hours } = answers
  const breaker = calculationOf(answers)?.circuit.breaker
  if (typeof chargerDistance !== 'number' || typeof conductor !== 'string' || !breaker) return null
  const supply = chargerSupply as Supply
  return {
    metres: chargerDistance,
    gauge: conductor,
    breaker,
    supply,
    poles: polesOf[supply],
    answers,
    earthGauge: groundConductorFor(breaker, conductor as Gauge, answers.terminals75 === true),
    kilowatts: Number(chargerKilowatts),
    hours: Number(hours ?? 0),
  }
}

/** A current catalogue item, active or not, with its cost where it is known. */
export type PricedItem = CatalogueItem & { unitCost: number | null }

/**
 * How far an offer is below its reference value, in hundredths of a percent, and whether an option is below its cost.
 */
export type Worth = { belowList: number; belowCost: boolean }

/**
 * Measures an offer by references that are not typed: the catalogue's current prices, and its report's proposal. Each
 * option is measured by the higher of the two, so that a line left out, or written by hand, does not lower the
 * reference.
 */
export function worthOf(
  { options }: Pick<QuoteContent, 'options'>,
  catalogue: readonly PricedItem[],
  proposal: readonly QuoteOption[],
): Worth {
  const each = options.map((option) =>
    measured(option, proposal.find(({ id }) => id === option.id) ?? null, catalogue),
  )
  return {
    belowList: Math.max(0, ...each.map(({ belowList }) => belowList)),
    belowCost: each.some(({ belowCost }) => belowCost),
  }
}

function measured(
  option: QuoteOption,
  proposed: QuoteOption | null,
  catalogue: readonly PricedItem[],
): Worth {
  const listed = (lines: readonly QuoteLine[]) => totalsOf(atList(lines, catalogue)).total
  const base = Math.max(
    listed(option.lines),
    proposed ? totalsOf(proposed.lines).total + moreMetres(option, proposed) : 0,
  )
  const plain = totalsOfOption(option)
  const withAll = totalsOfOption(
    option,
    option.addOns.map(({ id }) => id),
  )
  const cost = Math.max(costOf(option.lines, catalogue), costOf(proposed?.lines ?? [], catalogue))
  // The IVA of each line is rounded separately.
  const rounding = option.lines.length + option.addOns.length
  const further = option.metres?.furtherPrice
  const should = proposed?.metres?.furtherPrice
  return {
    belowList: Math.max(
      below(plain.total, base, rounding),
      below(withAll.total, base + listed(option.addOns), rounding),
      further === undefined ? 0 : below(further, should ?? 0, 0),
    ),
    belowCost: plain.net < cost || withAll.net < cost + costOf(option.addOns, catalogue),
  }
}

/** The price of the metres promised beyond the proposal's, at the proposal's price of each further metre. */
function moreMetres({ metres }: QuoteOption, proposed: QuoteOption): number {
  if (!metres || !proposed.metres) return 0
  const more = Math.max(0, metres.included - proposed.metres.included)
  return Math.round((more * priceWithIva(proposed.metres.furtherPrice, 16)) / 10)
}

/** The charged lines, at the catalogue's prices where it has them. */
const atList = (lines: readonly QuoteLine[], catalogue: readonly PricedItem[]): ChargedLine[] =>
  lines.filter(isCharged).map((line) => {
    const item = itemOf(line, catalogue)
    return item ? { ...line, unitPrice: item.unitPrice, iva: item.iva } : line
  })

const costOf = (lines: readonly QuoteLine[], catalogue: readonly PricedItem[]): number =>
  lines.filter(isCharged).reduce((sum, line) => {
    const unitPrice = itemOf(line, catalogue)?.unitCost ?? 0
    return sum + grossOf({ quantity: line.quantity, unitPrice })
  }, 0)

/** What an option leaves, in centavos without IVA; `unknown` are the lines that the catalogue has no cost of. */
export type Margin = { option: OptionId; net: number; cost: number; unknown: string[] }

/** The margin of each option at the catalogue's costs, with the add-ons that its customer chose, if any. */
export const marginsOf = (
  { options }: Pick<QuoteContent, 'options'>,
  catalogue: readonly PricedItem[],
  chosen: readonly string[],
): Margin[] =>
  options.map((option) => {
    const lines = [...option.lines, ...option.addOns.filter(({ id }) => chosen.includes(id))]
    return {
      option: option.id,
      net: totalsOfOption(option, chosen).net,
      cost: costOf(lines, catalogue),
      unknown: lines
        .filter(isCharged)
        .filter((line) => itemOf(line, catalogue)?.unitCost == null)
        .map(({ description }) => description),
    }
  })

/** By its code; a line typed with the catalogue's exact description is that item, too. */
const itemOf = ({ code, description }: ChargedLine, catalogue: readonly PricedItem[]) =>
  catalogue.find((item) => item.code === code) ?? catalogue.find((item) => item.description === description)

/** Rounded up, like a discount's share: 20.001 % is over 20 %. */
function below(amount: number, reference: number, rounding: number): number {
  const missing = reference - amount - rounding
  if (reference <= 0 || missing <= 0) return 0
  const whole = BigInt(reference)
  return Number((BigInt(missing) * 10_000n + whole - 1n) / whole)
}

/** The initial content of a draft: the previous version's, else the report's proposal. */
export function firstContent(
  { answers, kind }: { answers: Answers; kind: QuoteKind },
  before: { content: QuoteContent; sentAt: Date | null } | null,
  catalogue: CatalogueItem[],
  settings: Settings,
  now: Date,
): { content: QuoteContent; missing: string[] } {
  const { depositPercent, exclusions, refundTerms, validDays, warrantyMonths } = settings.quotes
  const validUntil = addDays(localDate(toMinutes(now)), validDays)
  if (before?.sentAt) return { content: { ...before.content, validUntil }, missing: [] }
  const proposal = kind === 'installation' ? proposeOptions(answers, catalogue) : null
  const content: QuoteContent = {
    validUntil,
    warrantyMonths,
    exclusions,
    refundTerms,
    notes: '',
    depositPercent: kind === 'installation' ? depositPercent : 0,
    options: proposal?.options ?? [blankOption],
  }
  return { content, missing: proposal?.missing ?? [] }
}

const blankOption: QuoteOption = { id: 'essential', summary: '', lines: [], addOns: [], metres: null }
