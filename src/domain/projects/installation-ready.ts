import { answerTurn, depositTurn, endedTurn, type MoneyFacts, noMoney } from './money-standing.ts'
import type { NextStep, Waiting } from './project.ts'

/** What an installation needs before it can be booked. */
export type ReadyFacts = {
  quoteAccepted: boolean
  depositPaid: boolean
  /** Whether the condominium asks for a permit, and whether it is in. */
  permitNeeded: boolean
  permitReceived: boolean
}

export const missingParts = {
  quote: 'Aceptar tu cotización',
  deposit: 'Pagar tu anticipo',
  permit: 'Entregar el permiso de tu condominio',
} as const satisfies Record<string, string>
export type MissingPart = keyof typeof missingParts

/** What is still missing before an installation can be booked, in the order it has to come; nothing means ready. */
export function missingForInstallation(facts: ReadyFacts): MissingPart[] {
  const missing: MissingPart[] = []
  if (!facts.quoteAccepted) missing.push('quote')
  if (!facts.depositPaid) missing.push('deposit')
  if (facts.permitNeeded && !facts.permitReceived) missing.push('permit')
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

type Turn = Pick<ReadyPart, 'waitingOn' | 'line' | 'next'>
const isDone: Turn = { waitingOn: 'none', line: '', next: null }
const later = (line: string): Turn => ({ waitingOn: 'none', line, next: null })

/** Every part that an installation needs, done or not. A quote is made only after the visit, and paid only once accepted. */
export function readyParts(facts: ReadyFacts, visited: boolean, money: MoneyFacts = noMoney): ReadyPart[] {
  const missing = missingForInstallation(facts)
  const turns: Record<MissingPart, () => Turn> = {
    quote: () => quoteTurn(visited, money),
    deposit: () =>
      facts.quoteAccepted ? depositTurn(money, null) : later('Sigue después de aceptar tu cotización.'),
    permit: () => ({
      waitingOn: 'customer',
      line: 'Te toca a ti: sube aquí el permiso que te dio tu administración.',
      next: null,
    }),
  }
  const parts: MissingPart[] = facts.permitNeeded ? ['quote', 'deposit', 'permit'] : ['quote', 'deposit']
  return parts.map((part) => {
    const done = !missing.includes(part)
    const { line, next, waitingOn } = done ? isDone : turns[part]()
    return { part, label: missingParts[part], done, waitingOn, line, next }
  })
}

function quoteTurn(visited: boolean, money: MoneyFacts): Turn {
  const asked = answerTurn({ ...money, extraWorkSince: null }) ?? endedTurn(money)
  if (asked) return asked
  if (!visited) return later('Primero va tu visita técnica.')
  return { waitingOn: 'analyst', line: 'Nos toca a nosotros: preparamos tu cotización.', next: null }
}

const turnWords: Partial<Record<Waiting, string>> = {
  customer: ' (te toca a ti)',
  analyst: ' (nos toca a nosotros)',
}

/** Why an installation cannot be booked yet, in one sentence for its customer. */
export const notReadyWords = (parts: readonly ReadyPart[]) =>
  `Para agendar tu instalación falta: ${parts
    .filter(({ done }) => !done)
    .map(({ label, waitingOn }) => label.toLowerCase() + (turnWords[waitingOn] ?? ''))
    .join('; ')}.`
