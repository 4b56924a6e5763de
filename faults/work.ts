import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { doubles } from '../bench/booking-checks.ts'
import {
  addCustomers,
  addStaff,
  addTechnicians,
  allStarts,
  type Customer,
  openSessions,
} from '../bench/crowd.ts'
import { localDate, toDate, toMinutes } from '../src/domain/shared/calendar.ts'
import { pause } from './outcome.ts'

type Place = { origin: string; pool: pg.Pool }
type Form = Record<string, string>
/** By the key of each form, whose it was. */
type Acknowledged = { bookings: Map<string, string>; payments: Map<string, string> }

/** Longer than anybody may have to wait: what takes this long counts as a hang. */
const hang = 30_000

/** What one request came to; status 0 is a connection that broke. */
export async function ask(url: string, cookie: string, form?: Form) {
  const from = performance.now()
  try {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie, origin: new URL(url).origin },
      signal: AbortSignal.timeout(hang),
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    const text = await answer.text()
    const { headers, status } = answer
    return {
      status,
      text,
      retryAfter: headers.get('retry-after'),
      to: headers.get('location'),
      ms: performance.now() - from,
    }
  } catch {
    return { status: 0, text: '', retryAfter: null, to: null, ms: performance.now() - from }
  }
}

export type Answer = Awaited<ReturnType<typeof ask>>

/**
 * Customers who book and a manager who records money, as many at once as there are hands. What was not acknowledged is
 * sent again under the same key, as a browser's form is; what was is kept, to be compared with the rows.
 */
export async function startWork({ origin, pool }: Place, { hands = 8, customers = 2_000 } = {}) {
  await addTechnicians(pool, 60)
  const [manager] = await openSessions(pool, [await addStaff(pool, 'manager')])
  const waiting = await addCustomers(pool, customers)
  const starts = allStarts()
  const answers: Answer[] = []
  const acknowledged: Acknowledged = { bookings: new Map(), payments: new Map() }
  let stopped = false
  let turn = 0
  const insist = async (send: () => Promise<Answer>, done: (answer: Answer) => boolean) => {
    for (;;) {
      const answer = await send()
      answers.push(answer)
      if (done(answer)) return true
      if (answer.status === 409 || stopped) return false
      await pause(100)
    }
  }
  const serve = async (customer: Customer) => {
    const key = randomUUID()
    const startsAt = toDate(starts[(turn++ * 37) % starts.length]!).toISOString()
    const booking = () =>
      ask(`${origin}/agenda-technics-visit`, customer.cookie, { startsAt, requestKey: key })
    if (await insist(booking, ({ status, to }) => status === 303 && to === '/technics-visit'))
      acknowledged.bookings.set(key, customer.id)
    const paid = { ...cash(), requestKey: randomUUID() }
    const desk = `${origin}/admin/cotizations/cobros/${customer.projectId}`
    if (
      await insist(
        () => ask(desk, manager!, paid),
        ({ status }) => status === 303,
      )
    )
      acknowledged.payments.set(paid.requestKey, customer.projectId)
  }
  const hand = async () => {
    for (let next = waiting.pop(); next && !stopped; next = waiting.pop()) await serve(next)
  }
  const working = Promise.all(Array.from({ length: hands }, hand))
  return {
    answers,
    acknowledged,
    async stop() {
      stopped = true
      await working
    },
    verdict: () => compare(pool, acknowledged),
  }
}

const cash = () => ({
  intent: 'record-payment',
  paymentId: '',
  amount: '100',
  again: '100',
  method: 'cash',
  bank: '',
  trackingKey: '',
  note: '',
  paidOn: localDate(toMinutes(new Date())),
})

/** What was acknowledged beside what is there: nothing lost, nothing twice. */
async function compare(pool: pg.Pool, { bookings, payments }: Acknowledged) {
  const one = async (text: string, values: unknown[] = []) =>
    Number((await pool.query<{ n: string }>(`select count(*) as n from (${text}) found`, values)).rows[0]!.n)
  const lostBookings = `select key from unnest($1::uuid[]) key where not exists (select from appointments where request_key = key)`
  const lostPayments = `select key from unnest($1::text[]) key
    where not exists (select from events where name = 'pay' and data ->> 'requestKey' = key)`
  const twicePaid = `select data ->> 'requestKey' from events where name = 'pay' group by 1 having count(*) > 1
    union all select project_id::text from payments group by 1 having count(*) > 1`
  const twiceBooked = `select customer_id from appointments where state <> 'cancelled' group by 1 having count(*) > 1`
  const half = `select id from appointments where id not in (select entity_id from events where name = 'book')`
  return {
    lost:
      (await one(lostBookings, [[...bookings.keys()]])) + (await one(lostPayments, [[...payments.keys()]])),
    doubled: (await one(twiceBooked)) + (await one(twicePaid)) + (await doubles(pool)),
    half: await one(half),
  }
}
