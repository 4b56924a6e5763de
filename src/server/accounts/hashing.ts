import { availableParallelism } from 'node:os'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { refuse } from '../../domain/shared/refusal.ts'
import { turnstile } from '../platform/storage/turnstile.ts'
import { noteTurnedAway } from '../platform/telemetry/cause.ts'
import { isFirebase, matchesFirebase } from './firebase-password.ts'

/**
 * So many passwords are worked out at once: each takes a processor for a tenth of a second and 32 MB, and one processor
 * stays with everybody else. Node has four threads for such work, and files and names need one.
 */
const atOnce = Math.max(1, Math.min(3, availableParallelism() - 1))
/** Milliseconds that somebody waits for their turn at most. */
const longestWait = 2_000

const inTurn = turnstile(atOnce)
/** Milliseconds that one takes here, as the last ones did: on a busy machine it is several times as long. */
let usual = 100

async function timed<Result>(work: () => Promise<Result>): Promise<Result> {
  const started = performance.now()
  const result = await work()
  usual += (performance.now() - started - usual) / 8
  return result
}

/** A password as it is kept. Slow on purpose, so it is worked out before a row is held. */
export const hashedPassword = (password: string): Promise<string> =>
  inTurn(() => timed(() => hashPassword(password)))

/** Whether somebody typed the password that is kept so: by us, or by the Firebase project they came from. */
export const isPassword = ({ hash, password }: { hash: string; password: string }): Promise<boolean> =>
  inTurn(() =>
    timed(() => (isFirebase(hash) ? matchesFirebase(hash, password) : verifyPassword({ hash, password }))),
  )

/** Refuses while too many wait for theirs already: whoever signs in waits a moment, and nobody else. */
export function refuseWhenCrowded(): void {
  if ((inTurn.waiting() * usual) / atOnce < longestWait) return
  noteTurnedAway()
  refuse(
    'unavailable',
    'Muchas personas están entrando en este momento. Espera unos segundos y vuelve a intentarlo.',
  )
}
