import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { Actor } from '../../src/access/rules/actor.ts'
import { type AppointmentPage, listDone, listPending } from '../../src/appointments/lists.ts'
import {
  type AppointmentState,
  activeStates,
  doneStates,
  type Service,
  services,
  underWayStates,
} from '../../src/appointments/rules/appointment.ts'
import {
  countedBy,
  filtersFor,
  type ListFilters,
  type ListName,
  noPerson,
  statesOf,
  viewNames,
} from '../../src/appointments/rules/list.ts'
import { users } from '../../src/platform/database/schema/accounts.ts'
import { appointments, sheets } from '../../src/platform/database/schema/appointments.ts'
import { projects } from '../../src/platform/database/schema/projects.ts'
import { defaultSettings } from '../../src/settings/rules/settings-schema.ts'
import { searchWords } from '../../src/shared/search.ts'
import { withoutAccents } from '../../src/shared/text.ts'
import { hour, minute } from '../kit/appointments.ts'
import { dice } from '../kit/dice.ts'
import {
  ally,
  analyst,
  db,
  gester,
  manager,
  markupOf,
  openOnce,
  people,
  storeRows,
  technician,
  technician2,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'

/** A row as the naive filter knows it. */
type Row = typeof appointments.$inferSelect & { customer: typeof users.$inferSelect }

const now = new Date('2026-11-24T18:10:00Z')
const { arrivalWindowMinutes: arrivalWindow } = defaultSettings
const zones = ['coyoacan', 'tlalpan', 'toluca'] as const
const names = ['Ana', 'Íñigo', 'José María', 'Ñandú']
const lastnames = ['Núñez', 'Pérez-Gil', "O'Brien", '100 % Real']

openOnce()
let rows: Row[]
beforeAll(async () => {
  rows = await plant(400)
  await hand(rows.filter(isInReview))
}, 120_000)

test('a cell without a value is empty, so that a card on a phone leaves it out', async () => {
  const text = await markupOf('/admin/appointments-done', manager)
  expect(text).toContain('data-from="medium"><div></div>')
  expect(text).not.toMatch(/<td[^>]*><div[^>]*><span[^>]*><\/span><\/div>/)
})

/** One in five of those that were done. */
const isInReview = ({ folio, service, state }: Row) =>
  state === 'done' && service !== 'videocall' && Number(folio.slice(-5)) % 5 === 0

/** Their reports were sent, and wait for the office. */
const hand = (sent: readonly Row[]) =>
  storeRows(
    sheets,
    sent.map(({ id: appointmentId, assigneeId, service }) => ({
      appointmentId,
      kind: service === 'installation' ? ('installation' as const) : ('visit' as const),
      state: 'submitted' as const,
      submittedAt: now,
      submittedBy: assigneeId!,
    })),
  )

const { below: roll, oneOf } = dice(7)

/** Appointments of all kinds, in a few years around now, each of a customer of its own. */
async function plant(count: number): Promise<Row[]> {
  const customers = await storeRows(
    users,
    Array.from({ length: count }, (_, n) => ({
      email: `c${n}.${oneOf(['ana', 'luz'])}@correo.mx`,
      name: oneOf(names),
      lastname: oneOf(lastnames),
      phone: `55${String(roll(10 ** 8)).padStart(8, '0')}`,
    })),
  )
  const owned = await storeRows(
    projects,
    customers.map(({ id }) => ({ customerId: id, agencyId: roll(3) ? null : ally.agencyId })),
  )
  const made = await storeRows(
    appointments,
    owned.map(({ id, customerId }, n) => {
      const state = oneOf<AppointmentState>([...activeStates, ...doneStates])
      const service = oneOf(services)
      const nobody = state === 'requested' && roll(3) === 0
      return {
        service,
        state,
        customerId,
        projectId: id,
        requestKey: randomUUID(),
        requestDigest: '',
        folio: `${service === 'videocall' ? 'AV' : 'VT'}-${2023 + roll(5)}-${String(n + 1).padStart(5, '0')}`,
        minutes: 5,
        assigneeId: nobody ? null : oneOf([technician, technician2, analyst]).id,
        confirmedAt: state === 'requested' ? null : now,
        municipality: service === 'videocall' ? null : oneOf(zones),
        startsAt: new Date(now.getTime() + startOf(n)),
        startedAt: oneOf([null, new Date(now.getTime() + startOf(n) + (arrivalWindow + roll(2)) * minute)]),
      }
    }),
  )
  return made.map((row) => ({ ...row, customer: customers.find(({ id }) => id === row.customerId)! }))
}

/** Most within some days, in steps that never meet; the others anywhere in three years around. */
const startOf = (n: number) => (n % 3 ? (n - 200) * 10 * 60_000 : (roll(1100) - 800) * 24 * hour + n * 60_000)

const zone = 'America/Mexico_City'
const localOf = (at: Date) => Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)
const tokens = (words: string) =>
  words.split(/\s+/).flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)])

/** What a person may find a row by, as words. */
function wordsFor(actor: Actor, { folio, customer }: Row): string[] {
  const number = folio.slice(8)
  const open = [folio, folio.slice(3), number, number.replace(/^0+/, ''), ...tokens(customer.name ?? '')]
  const { email, phone, lastname } = customer
  const closed = [
    ...tokens(lastname ?? ''),
    email,
    email.split('@')[1]!,
    phone!,
    phone!.slice(-8),
    phone!.slice(-4),
  ]
  const plain = (word: string) => withoutAccents(word).replace(/['\\]/g, '')
  return (actor.kind === 'alliate' ? open : [...open, ...closed]).map(plain).filter(Boolean)
}

function isSeen(actor: Actor, row: Row): boolean {
  const days = (row.startsAt.getTime() - Date.now()) / (24 * hour)
  if (actor.kind === 'tecnician')
    return (
      row.assigneeId === actor.id &&
      row.confirmedAt !== null &&
      ((days >= -30 && days <= 60) || underWayStates.some((state) => state === row.state))
    )
  if (actor.kind === 'alliate') return row.agencyId === actor.agencyId
  return actor.kind !== 'gester'
}

const isWithin = (at: Date, from: Temporal.PlainDate, days: number) => {
  const date = localOf(at).toPlainDate()
  return (
    Temporal.PlainDate.compare(date, from) >= 0 && Temporal.PlainDate.compare(date, from.add({ days })) < 0
  )
}

const today = localOf(now).toPlainDate()
const views: Record<(typeof viewNames)[number], (row: Row) => boolean> = {
  hoy: ({ startsAt }) => isWithin(startsAt, today, 1),
  semana: ({ startsAt }) => isWithin(startsAt, today.subtract({ days: today.dayOfWeek - 1 }), 7),
  manana: ({ startsAt }) => isWithin(startsAt, today.add({ days: 1 }), 1),
  'proxima-semana': ({ startsAt }) => isWithin(startsAt, today.add({ days: 8 - today.dayOfWeek }), 7),
  'en-ruta': ({ state }) => ['en_route', 'in_progress', 'paused'].includes(state),
  tarde: ({ state, startsAt }) => ['requested', 'assigned', 'en_route'].includes(state) && startsAt < now,
  'sin-persona': ({ state, assigneeId }) => state === 'requested' && assigneeId === null,
  'por-revisar': isInReview,
  puntualidad: isDue,
  'a-tiempo': (row) => isDue(row) && row.startedAt !== null && row.startedAt <= latestOf(row),
  'con-retraso': (row) => isDue(row) && !(row.startedAt && row.startedAt <= latestOf(row)),
  ocupacion: ({ assigneeId, state }) => assigneeId !== null && state !== 'cancelled' && state !== 'no_show',
}
const latestOf = ({ startsAt }: Row) => new Date(startsAt.getTime() + arrivalWindow * minute)
function isDue(row: Row) {
  if (row.service === 'videocall') return false
  return (
    row.startedAt !== null ||
    (['requested', 'assigned', 'en_route'].includes(row.state) && latestOf(row) < now)
  )
}

/** The list written plainly: every row, one condition after the other. */
function naive(actor: Actor, list: ListName, asked: ListFilters): string[] {
  const {
    month,
    year,
    day,
    from,
    to,
    view,
    service,
    state,
    zone: place,
    person,
    text,
  } = filtersFor(list, actor.kind!, asked)
  const kept = rows.filter((row) => {
    const local = localOf(row.startsAt)
    return (
      (countedBy(view) || statesOf[list].includes(row.state)) &&
      isSeen(actor, row) &&
      (month === undefined || local.month === Number(month) + 1) &&
      (year === undefined || local.year === Number(year)) &&
      (day === undefined || local.toPlainDate().toString() === day) &&
      (from === undefined || local.toPlainDate().toString() >= from) &&
      (to === undefined || local.toPlainDate().toString() <= to) &&
      (view === undefined || views[view](row)) &&
      (service === undefined || row.service === service) &&
      (state === undefined || row.state === state) &&
      (place === undefined || row.municipality === place) &&
      (person === undefined || row.assigneeId === (person === noPerson ? null : person)) &&
      searchWords(text).every((word) => {
        // An ally reads no folio and finds nothing by one.
        if (actor.kind === 'alliate' && /\d/.test(word)) return false
        const plain = withoutAccents(word).replace(/['\\]/g, '')
        return plain !== '' && wordsFor(actor, row).some((one) => one.startsWith(plain))
      })
    )
  })
  const later = (list === 'pending') !== (asked.order === 'reverse') ? 1 : -1
  const order = (a: Row, b: Row) =>
    later * (a.startsAt.getTime() - b.startsAt.getTime()) || later * (a.id < b.id ? -1 : 1)
  return kept.sort(order).map(({ id }) => id)
}

const lists = { pending: listPending, done: listDone }

/** A whole list, page after page. */
async function whole(actor: Actor, list: ListName, filters: ListFilters) {
  const found: string[] = []
  let after: string | null = null
  for (let pages = 0; pages < 20; pages++) {
    const page: AppointmentPage = await lists[list](db, actor, { ...filters, ...(after && { after }) }, now)
    found.push(...page.rows.map(({ id }) => id))
    if (!page.next) return { found, total: page.total }
    after = page.next
  }
  throw new Error('The pages do not end.')
}

const texts = [
  'ana',
  'JOSÉ',
  'maria',
  'nunez',
  'ñandu per',
  'gil',
  'brien',
  "o'b",
  '100 %',
  'VT-2026',
  '2025-0',
  '00012',
  '12',
  '55',
  '+52 55',
  'luz',
  'c1.',
  'correo.mx',
  'x',
  '%',
  "'",
  '\\',
  ':*',
  'ana & luz',
  'c7.ana@correo.mx',
]
const maybe = <Value>(values: readonly Value[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 })
const someFilters = () =>
  fc
    .record({
      order: maybe(['reverse'] as const),
      month: maybe(['0', '1', '9', '10', '11']),
      year: maybe(['2024', '2025', '2026', '2027']),
      day: maybe(['2026-11-24', '2026-11-25', '2026-11-22']),
      from: maybe(['2026-11-20', '2026-11-24']),
      to: maybe(['2026-11-24', '2026-12-01']),
      view: maybe(viewNames),
      service: maybe<Service>(services),
      state: maybe<AppointmentState>([...activeStates, ...doneStates]),
      zone: maybe([...zones, 'iztapalapa']),
      person: maybe([technician.id, technician2.id, analyst.id, noPerson, randomUUID()]),
      text: maybe(texts),
    })
    .map(
      (filters) =>
        Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as ListFilters,
    )

const kinds = ['manager', 'analyst', 'technician', 'ally', 'gester'] as const
test.each(kinds)(
  'any filters list and count what a naive filter keeps, in its order for the %s',
  async (who) => {
    const { actor } = people[who] as Person
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('pending' as const, 'done' as const),
        someFilters(),
        async (list, filters) => {
          const expected = naive(actor, list, filters)
          expect(await whole(actor, list, filters)).toEqual({ found: expected, total: expected.length })
        },
      ),
      { numRuns: who === 'manager' ? 300 : 60 },
    )
    // Each filter alone, which chance might leave out.
    for (const text of texts)
      for (const list of ['pending', 'done'] as const)
        expect([text, (await whole(actor, list, { text })).found]).toEqual([
          text,
          naive(actor, list, { text }),
        ])
    for (const view of viewNames)
      for (const list of ['pending', 'done'] as const)
        expect([view, (await whole(actor, list, { view })).found]).toEqual([
          view,
          naive(actor, list, { view }),
        ])
  },
  120_000,
)

test('offers the years of its rows beyond the usual three', async () => {
  const { years } = await listDone(db, manager.actor, {}, now)
  const expected = new Set(
    rows.filter(({ state }) => statesOf.done.includes(state)).map(({ startsAt }) => localOf(startsAt).year),
  )
  expect(years).toEqual([...expected].filter((year) => year < 2024 || year > 2026).sort())
  expect((await listDone(db, gester.actor, {}, now)).years).toEqual([])
})
