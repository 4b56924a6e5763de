import { conceptLabels, restWords } from '../../payments/rules/payment.ts'
import { isOpenQuote, type QuoteState } from '../../quotes/rules/quote.ts'
import type { Condition, ConditionKind } from '../../reports/rules/report.ts'
import { longDate, lowerFirst, money } from '../../shared/format.ts'
import { dayOfYear } from '../../shared/spoken-days.ts'
import type { NextStep, OpenCharge, ProjectPart, ProjectStatus, Waiting } from './stages.ts'

/** The newest quote sent to a customer: its current state, and since when. */
export type PartQuote = {
  state: QuoteState
  since: Date
  validUntil: Date | null
  /** Its customer requested a new one after it ended. */
  askedAnew: boolean
}

/** The facts of quotes and payments that decide a project's status. */
export type MoneyFacts = {
  quote: PartQuote | null
  /** Since when extra work waits for its customer's answer. */
  extraWorkSince: Date | null
  demands: readonly OpenCharge[]
}

/** The facts of a project without a quote. */
export const noMoney: MoneyFacts = { quote: null, extraWorkSince: null, demands: [] }

type Turn = Omit<ProjectStatus, 'stage'>

const see: NextStep = { label: 'Ver mi cotización', to: '/quote' }
const another: NextStep = { label: 'Pedir otra cotización', to: '/quote' }

/**
 * The turn for a quote that waits for its customer's answer, extra work first because the technician waits on site;
 * null when there is none.
 */
export function answerTurn({ extraWorkSince, quote }: MoneyFacts): Turn | null {
  const yours = { waitingOn: 'customer' as const, next: see }
  if (extraWorkSince)
    return {
      ...yours,
      since: extraWorkSince,
      line: 'Sigue: revisa el trabajo adicional que te proponemos.',
    }
  if (!quote || !isOpenQuote(quote.state)) return null
  const ends = quote.validUntil ? ` Vence el ${longDate(quote.validUntil)}.` : ''
  return { ...yours, since: quote.since, line: `Tu cotización está lista: revísala.${ends}` }
}

const ours = (line: string) => ({ waitingOn: 'analyst' as const, next: null, line })
const making = ours('Estamos preparando otra cotización para ti.')
const yours = (line: string) => ({ waitingOn: 'customer' as const, next: another, line })

const afterwards: Partial<Record<QuoteState, Omit<Turn, 'since'>>> = {
  changes_requested: ours('Estamos haciendo los cambios que pediste a tu cotización.'),
  rejected: ours('Te vamos a llamar para ver contigo qué te conviene.'),
  withdrawn: making,
  expired: yours('Tu cotización venció. Pide otra con un toque.'),
  lapsed: yours('No recibimos tu anticipo a tiempo y tu cotización terminó. Pide otra con un toque.'),
  cancelled: yours('Se canceló tu cotización. Si cambias de idea, pide otra con un toque.'),
}

/** Whose turn it is after a quote that can no longer be accepted; null where nothing follows. */
export function endedTurn({ demands, quote }: MoneyFacts): Turn | null {
  const turn = quote && afterwards[quote.state]
  if (!turn) return null
  return proofInReview({ demands }) ?? { ...(quote.askedAnew ? making : turn), since: quote.since }
}

/** The proof of a deposit is reviewed, whatever became of its quote. */
const proofInReview = (facts: Pick<MoneyFacts, 'demands'>): Turn | null =>
  depositTurns(facts).find(({ charge }) => charge.state === 'in_review') ?? null

const depositTurns = (facts: Pick<MoneyFacts, 'demands'>) =>
  chargeTurns(facts).filter(({ charge }) => charge.concept === 'deposit')

/** Whose turn it is while the deposit is missing. */
export function depositTurn(facts: MoneyFacts, since: Date | null): Turn {
  const next = { label: 'Pagar mi anticipo', to: '/payments' }
  const line = 'Sigue: paga tu anticipo.'
  return proofInReview(facts) ?? { waitingOn: 'customer', line, next, ...depositTurns(facts)[0], since }
}

/** The turn of each requested amount: those to be paid first, the soonest due before. */
export const chargeTurns = ({ demands }: Pick<MoneyFacts, 'demands'>) =>
  demands.toSorted((a, b) => dueRank(a) - dueRank(b)).map(chargeTurn)

const dueRank = ({ dueAt, since, state }: OpenCharge) =>
  state === 'pending' ? (dueAt ?? since).getTime() : Number.MAX_SAFE_INTEGER

function chargeTurn(charge: OpenCharge): Turn & { charge: OpenCharge } {
  const { concept, since, state } = charge
  const what = lowerFirst(conceptLabels[concept])
  if (state === 'in_review')
    return {
      ...ours(`Estamos revisando tu ${concept === 'deposit' ? 'comprobante' : 'pago'}.`),
      since,
      charge,
    }
  const next = { label: `Pagar mi ${what}`, to: '/payments' }
  return { waitingOn: 'customer', line: payLine(charge) ?? `Sigue: paga tu ${what}.`, since, next, charge }
}

/** What a customer is asked for: the rest of what was paid in part, or another proof and why. */
function payLine({ isRest, refused, ...charge }: OpenCharge): string | null {
  if (refused) return `No pudimos aceptar tu comprobante: “${refused.replace(/\.$/, '')}”. Sube otro.`
  return isRest ? restWords(charge) : null
}

/** Of an amount to be paid, how much and until when. */
export const amountDue = ({ amount, dueAt }: Pick<OpenCharge, 'amount' | 'dueAt'>, now: Date) =>
  `${money(amount)}${dueAt ? `, ${dueAt < now ? 'venció' : 'a más tardar'} el ${dayOfYear(dueAt, now)}` : ''}.`

/** A turn in a list of all that is open: what it is, how much, until when. */
export function pendingWords({ charge, line }: Pick<ProjectStatus, 'charge' | 'line'>, now: Date): string {
  const words = line.replace(/^Sigue: (.)/, (_, first: string) => first.toUpperCase())
  if (charge?.state !== 'pending') return words
  return payLine(charge)
    ? `${words} Son ${amountDue(charge, now)}`
    : `Tu ${lowerFirst(conceptLabels[charge.concept])}: ${amountDue(charge, now)}`
}

/**
 * The status of a project after a visit whose report was sent; null before there is a report, as for visits older than
 * reports. `call` is whose turn it is with a booked call.
 */
export function statusAfterVisit(
  { report, state }: Pick<ProjectPart, 'report' | 'state'>,
  call: Waiting | null,
): ProjectStatus | null {
  if (state !== 'done' || !report) return null
  const { since } = report
  switch (report.state) {
    case 'draft':
      return null
    case 'submitted':
      return {
        stage: 'visit',
        waitingOn: 'analyst',
        since,
        next: null,
        line: 'Revisamos lo que encontró tu técnico y te decimos qué sigue.',
      }
    case 'returned':
      return {
        stage: 'visit',
        waitingOn: 'technician',
        since,
        next: null,
        line: 'Tu técnico completa el reporte de tu visita.',
      }
    case 'approved':
      return report.notViable === null ? quoting(since) : notViable(report.notViable, since, call)
  }
}

const quoting = (since: Date): ProjectStatus => ({
  stage: 'quoting',
  waitingOn: 'analyst',
  since,
  next: null,
  line: 'Estamos preparando tu cotización.',
})

/** Every outcome has a next step: here an analyst looks for another solution with the customer. */
const notViable = (why: string, since: Date, call: Waiting | null): ProjectStatus => ({
  stage: 'visit',
  waitingOn: call ?? 'customer',
  since,
  line: `Por ahora tu instalación no es viable: ${why}`,
  next: call
    ? { label: 'Ver mi asesoría', to: '/videocall' }
    : { label: 'Hablar con un analista', to: '/agenda-videocall' },
})

/**
 * The status of a project whose installation record is not approved yet: nothing is handed over or charged before. Null
 * where it is approved, or there is none.
 */
export function statusBeforeHandOver({ report }: Pick<ProjectPart, 'report'>): ProjectStatus | null {
  if (!report || report.state === 'approved') return null
  const isReturned = report.state === 'returned'
  return {
    stage: 'installing',
    waitingOn: isReturned ? 'technician' : 'analyst',
    since: report.since,
    next: null,
    line: isReturned
      ? 'Tu técnico completa el registro de tu instalación.'
      : 'Revisamos tu instalación para entregarte tu documento y tu garantía.',
  }
}

/** The conditions by which CFE is waited for. */
export const ofCfe = ['load_increase', 'second_meter'] as const satisfies readonly ConditionKind[]

/** The requirements for booking an installation. */
export type ReadyFacts = {
  quoteAccepted: boolean
  depositPaid: boolean
  /** Whether the condominium requires a permit, whether it is here, and whether a reviewer found it right or why not. */
  permitNeeded: boolean
  permitReceived: boolean
  permitValid: boolean
  permitReturned: string | null
  conditions: readonly Condition[]
}

const missingParts = {
  quote: 'Aceptar tu cotización',
  deposit: 'Pagar tu anticipo',
  permit: 'Entregar el permiso de tu condominio',
  load_increase: 'Aumento de carga con CFE',
  second_meter: 'Segundo medidor de CFE',
} as const satisfies Record<string, string>
export type MissingPart = keyof typeof missingParts

const theirParts: Record<MissingPart, string> = {
  quote: 'que acepte su cotización',
  deposit: 'que pague su anticipo',
  permit: 'el permiso de su condominio',
  load_increase: 'que CFE aumente la carga',
  second_meter: 'que CFE instale el segundo medidor',
}

/** The missing requirements of somebody's installation, in words for staff. */
export const missingWords = (missing: readonly MissingPart[]) =>
  `Falta ${missing.map((part) => theirParts[part]).join(', ')}.`

/** The missing requirements of an installation, in the order they are met; empty means ready. */
export function missingForInstallation(facts: ReadyFacts): MissingPart[] {
  const missing: MissingPart[] = []
  if (!facts.quoteAccepted) missing.push('quote')
  if (!facts.depositPaid) missing.push('deposit')
  if (facts.permitNeeded && !facts.permitValid) missing.push('permit')
  for (const kind of ofCfe)
    if (facts.conditions.some((one) => one.kind === kind && one.blocksBooking)) missing.push(kind)
  return missing
}

/** A requirement of an installation: done, or whose turn it is and what its customer can do. */
export type ReadyPart = {
  part: MissingPart
  label: string
  done: boolean
  waitingOn: Waiting
  line: string
  next: NextStep | null
}

type ReadyTurn = Pick<ReadyPart, 'waitingOn' | 'line' | 'next'>
const isDone: ReadyTurn = { waitingOn: 'none', line: '', next: null }
const later = (line: string): ReadyTurn => ({ waitingOn: 'none', line, next: null })

/**
 * Every requirement of an installation, done or not. A quote is made only after the visit, and paid only once accepted.
 */
export function readyParts(
  facts: ReadyFacts,
  visited: boolean,
  money: MoneyFacts = noMoney,
  ofCase: CaseTurn | null = null,
): ReadyPart[] {
  const missing = missingForInstallation(facts)
  const turns: Record<MissingPart, () => ReadyTurn> = {
    quote: () => quoteTurn(visited, money),
    deposit: () =>
      facts.quoteAccepted ? depositTurn(money, null) : later('Sigue después de aceptar tu cotización.'),
    permit: () => ({ ...permitTurn(facts), next: null }),
    load_increase: () => cfeTurn(ofCase),
    second_meter: () => cfeTurn(ofCase),
  }
  const parts: MissingPart[] = [
    'quote',
    'deposit',
    ...(facts.permitNeeded ? (['permit'] as const) : []),
    ...ofCfe.filter((kind) =>
      facts.conditions.some((one) => one.kind === kind && (one.isMet || one.blocksBooking)),
    ),
  ]
  return parts.map((part) => {
    const done = !missing.includes(part)
    const { line, next, waitingOn } = done ? isDone : turns[part]()
    return { part, label: missingParts[part], done, waitingOn, line, next }
  })
}

/** Whose turn it is while the condominium's permit does not count yet. */
export function permitTurn({
  permitReceived,
  permitReturned,
}: Pick<ReadyFacts, 'permitReceived' | 'permitReturned'>): CaseTurn {
  if (permitReceived) return { waitingOn: 'analyst', line: 'Revisamos el permiso de tu condominio.' }
  if (permitReturned === null)
    return { waitingOn: 'customer', line: 'Sigue: sube el permiso que te dio tu administración.' }
  return {
    waitingOn: 'customer',
    line: `Sube otro permiso de tu condominio: ${permitReturned.replace(/\.$/, '')}.`,
  }
}

/** Whose turn it is in the case with CFE of a project. */
type CaseTurn = Pick<ProjectStatus, 'waitingOn' | 'line'>

/** Without a case it is the manager's: they open another. */
export const cfeTurn = (ofCase: CaseTurn | null): ReadyTurn => ({
  ...(ofCase ?? { waitingOn: 'manager', line: 'Preparamos tu trámite ante CFE.' }),
  next: null,
})

function quoteTurn(visited: boolean, money: MoneyFacts): ReadyTurn {
  const asked = answerTurn({ ...money, extraWorkSince: null }) ?? endedTurn(money)
  if (asked) return asked
  if (!visited) return later('Primero va tu visita técnica.')
  return { waitingOn: 'analyst', line: 'Estamos preparando tu cotización.', next: null }
}

const turnWords: Partial<Record<Waiting, string>> = {
  customer: ' (te toca a ti)',
  analyst: ' (la preparamos nosotros)',
  cfe: ' (le toca a CFE)',
}

/** Why an installation cannot be booked yet, in one sentence for its customer. */
export const notReadyWords = (parts: readonly ReadyPart[]) =>
  `Para agendar tu instalación falta: ${parts
    .filter(({ done }) => !done)
    .map(({ label, waitingOn }) => lowerFirst(label) + (turnWords[waitingOn] ?? ''))
    .join('; ')}.`
