import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { doubles } from '../bench/booking-checks.ts'
import {
  addCustomers,
  addStaff,
  addTechnicians,
  allStarts,
  type Customer,
  openSessions,
} from '../bench/crowd.ts'
import { connect } from '../bench/load.ts'
import { type Mark, type Request, sendOne } from '../load/drive.ts'
import { localDate, toDate, toMinutes } from '../src/shared/calendar.ts'
import type { Server } from './server.ts'

const hands = 8

/**
 * Customers who book and a manager who records money, as many at once as there are hands. What was not acknowledged is
 * sent again under the same key, as a browser's form is; what was is kept, to be compared with the rows.
 */
export async function startWork({ origin, pool }: Pick<Server, 'origin' | 'pool'>) {
  await addTechnicians(pool, 60)
  const [manager] = await openSessions(pool, [await addStaff(pool, 'manager')])
  const waiting = await addCustomers(pool, 2_000)
  const starts = allStarts()
  const client = connect({ origin }, hands)
  const marks: Mark[] = []
  const bookings: string[] = []
  const payments: string[] = []
  let isStopped = false
  const insist = async (wanted: Omit<Request, 'good'>, acknowledged: string[]) => {
    const requestKey = randomUUID()
    const request = { ...wanted, form: { ...wanted.form, requestKey }, good: 303 }
    for (;;) {
      const { outcome } = await sendOne(client.ask, request, marks, performance.now())
      if (outcome === 'answered') return acknowledged.push(requestKey)
      if (outcome === 'refused' || isStopped) return
      await pause(100)
    }
  }
  const serve = async ({ cookie, projectId }: Customer) => {
    const startsAt = toDate(starts[(waiting.length * 37) % starts.length]!).toISOString()
    await insist({ kind: 'booking', path: '/agenda-technics-visit', cookie, form: { startsAt } }, bookings)
    const path = `/admin/cotizations/cobros/${projectId}`
    await insist({ kind: 'payment', path, cookie: manager!, form: cash() }, payments)
  }
  const hand = async () => {
    for (let next = waiting.pop(); next && !isStopped; next = waiting.pop()) await serve(next)
  }
  const working = Promise.all(Array.from({ length: hands }, hand))
  const count = async (rows: string, ...values: unknown[]) =>
    Number((await pool.query(`select count(*) from (${rows}) found`, values)).rows[0].count)
  return {
    marks,
    async stop() {
      isStopped = true
      await working
      client.close()
    },
    /** What was acknowledged beside what is there: nothing lost, nothing twice, nothing half-made. */
    verdict: async () => ({
      bookings: bookings.length,
      payments: payments.length,
      lost:
        (await count(
          'select from unnest($1::uuid[]) key where key not in (select request_key from appointments)',
          bookings,
        )) +
        (await count(
          `select from unnest($1::text[]) key
           where not exists (select from events where name = 'pay' and data ->> 'requestKey' = key)`,
          payments,
        )),
      doubled:
        (await doubles(pool)) +
        (await count(
          `select customer_id::text from appointments where state <> 'cancelled' group by 1 having count(*) > 1
           union all select data ->> 'requestKey' from events where name = 'pay' group by 1 having count(*) > 1
           union all select project_id::text from payments group by 1 having count(*) > 1`,
        )),
      half: await count(
        `select from appointments where id not in (select entity_id from events where name = 'book')`,
      ),
    }),
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
