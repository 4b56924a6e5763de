import { hashPassword } from 'better-auth/crypto'
import type pg from 'pg'
import { isFast, type Line, report, sized } from './report.ts'
import { openStack } from './stack.ts'

/** Answers of each kind; the two kinds take turns, so that whatever else the machine does falls on both. */
const rounds = Number(process.env.BENCH_ROUNDS ?? sized(150, 2))
const warm = sized(10, 1)
const people = 20

/** Whether the time of an answer tells if somebody has an account: sign-in and the letter for a new password. */
const stack = await openStack()
try {
  await addPeople(stack.pool)
  const lines = [
    ...(await compared('sign-in', '/signin', (email) => ({ email, password: 'equivocada' }))),
    ...(await compared('recovery', '/recover-password', (email) => ({ intent: 'ask', email }))),
  ]
  report('known-or-not', 'How long an answer takes for an e-mail we know and one we do not', lines)
} finally {
  await stack.close()
}

async function addPeople(pool: pg.Pool) {
  const hash = await hashPassword('una-frase-larga')
  await pool.query(
    `with person as (insert into users (email, name) select 'conocida-' || n || '@prueba.mx', 'Ana' from generate_series(1, $1) n returning id)
     insert into accounts (user_id, account_id, provider_id, password) select id, id, 'credential', $2 from person`,
    [people, hash],
  )
}

async function compared(what: string, path: string, form: (email: string) => Record<string, string>) {
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let n = -warm; n < rounds; n++)
    for (const kind of n % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      const name = kind === 'known' ? 'conocida' : 'ninguna.'
      const took = await answerTo(path, form(`${name}-${(Math.abs(n) % people) + 1}@prueba.mx`))
      if (n >= 0) times[kind].push(took)
    }
  const chance = chanceOfLonger(times.known, times.unknown)
  // The spread of that chance when both kinds take the same time.
  const spread = Math.sqrt((2 * rounds + 1) / (12 * rounds * rounds))
  return [
    statistics(`${what}, known`, times.known),
    statistics(`${what}, unknown`, times.unknown),
    {
      what: `${what}, chance that a known one takes longer`,
      chance: chance.toFixed(3),
      ofLimit: (Math.abs(chance - 0.5) / (3 * spread)).toFixed(2),
      goal: `0.5 ± ${(3 * spread).toFixed(3)}`,
      met: isFast(Math.abs(chance - 0.5) <= 3 * spread),
    },
  ]
}

/** Milliseconds to the end of the answer, with nothing yet held against the address or the account. */
async function answerTo(path: string, form: Record<string, string>) {
  await stack.pool.query('delete from limits')
  await stack.pool.query('delete from sign_in_failures')
  const from = performance.now()
  const answer = await fetch(stack.origin + path, {
    method: 'POST',
    headers: { origin: stack.origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form),
    redirect: 'manual',
  })
  await answer.arrayBuffer()
  const took = performance.now() - from
  if (![400, 303].includes(answer.status)) throw new Error(`${path} answered ${answer.status}`)
  return took
}

function statistics(what: string, times: number[]): Line {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!
  const mean = times.reduce((sum, one) => sum + one, 0) / times.length
  const ms = (value: number) => value.toFixed(1)
  return {
    what,
    answers: times.length,
    median: ms(at(0.5)),
    mean: ms(mean),
    p10: ms(at(0.1)),
    p90: ms(at(0.9)),
  }
}

/** Of all pairs, the share in which the first kind takes longer (the area under the curve of Mann and Whitney). */
function chanceOfLonger(ones: number[], others: number[]) {
  let longer = 0
  for (const one of ones) for (const other of others) longer += one > other ? 1 : one === other ? 0.5 : 0
  return longer / (ones.length * others.length)
}
