import type { Waiting } from './project.ts'

/** What an installation needs before it can be booked. */
export type ReadyFacts = {
  quoteAccepted: boolean
  depositPaid: boolean
  /** Whether the condominium asks for a permit, and whether it is in. */
  permitNeeded: boolean
  permitReceived: boolean
}

export const missingParts = {
  quote: { words: 'Aceptar tu cotización', waitingOn: 'customer' },
  deposit: { words: 'Pagar tu anticipo', waitingOn: 'customer' },
  permit: { words: 'Entregar el permiso de tu condominio', waitingOn: 'customer' },
} as const satisfies Record<string, { words: string; waitingOn: Waiting }>
export type MissingPart = keyof typeof missingParts

/** What is still missing before an installation can be booked, in the order it has to come; nothing means ready. */
export function missingForInstallation(facts: ReadyFacts): MissingPart[] {
  const missing: MissingPart[] = []
  if (!facts.quoteAccepted) missing.push('quote')
  if (!facts.depositPaid) missing.push('deposit')
  if (facts.permitNeeded && !facts.permitReceived) missing.push('permit')
  return missing
}
