import { money } from '../shared/format.ts'

/** What an amount does that is not what was asked for: it leaves something to pay, goes to the balance, or is more than all that is owed. */
export type Consequence = { kind: 'short' | 'more' | 'over'; by: number }

/** What booking an amount would do; null when it is what was asked for, or pays a part of what is owed. All in centavos. */
export function consequenceOf(amount: number, asked: number | null, owed: number): Consequence | null {
  if (amount === asked) return null
  if (amount > owed) return { kind: 'over', by: amount - owed }
  if (asked === null) return null
  return amount < asked ? { kind: 'short', by: asked - amount } : { kind: 'more', by: amount - asked }
}

const words: Record<Consequence['kind'], (by: string) => string> = {
  short: (by) => `Faltan ${by}: se quedan pendientes de pago.`,
  more: (by) => `Sobran ${by} de lo que se pidió: se abonan a su saldo.`,
  over: (by) => `Sobran ${by} de todo lo que debe: quedan a su favor y se propone devolverlos. ¿Seguro?`,
}

/** Said before it is booked. */
export const consequenceWords = ({ by, kind }: Consequence) => words[kind](money(by))

/** How an unusual amount is confirmed: by submitting twice or, above the total owed, by typing it again. */
export type Sure = { sure: number | null; again: number | null }

export const isSure = ({ kind }: Consequence, amount: number, { again, sure }: Sure): boolean =>
  (kind === 'over' ? again : sure) === amount
