import { availableParallelism } from 'node:os'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { refuse } from '../../domain/refusal.ts'
import { turnstile } from '../files/turnstile.ts'

/**
 * So many passwords are worked out at once: each takes a processor for a tenth of a second and 32 MB, and one processor
 * stays with everybody else. Node has four threads for such work, and files and names need one.
 */
const atOnce = Math.max(1, Math.min(3, availableParallelism() - 1))
/** More than wait a second or two. */
const mostWaiting = 16

const inTurn = turnstile(atOnce)

/** A password as it is kept. Slow on purpose, so it is worked out before a row is held. */
export const hashedPassword = (password: string): Promise<string> => inTurn(() => hashPassword(password))

/** Whether somebody typed the password that is kept so. */
export const isPassword = (known: { hash: string; password: string }): Promise<boolean> =>
  inTurn(() => verifyPassword(known))

/** Refuses while too many wait for theirs already: whoever signs in waits a moment, and nobody else. */
export function refuseWhenCrowded(): void {
  if (inTurn.waiting() < mostWaiting) return
  refuse(
    'unavailable',
    'Muchas personas están entrando en este momento. Espera unos segundos y vuelve a intentarlo.',
  )
}
