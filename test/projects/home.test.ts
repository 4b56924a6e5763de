import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { localDate, minuteAt, toDate, toMinutes } from '../../src/domain/shared/calendar.ts'
import { confirmProvisional } from '../../src/server/appointments/jobs.ts'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import { appointments, moveOffers } from '../../src/server/platform/database/schema/appointments.ts'
import { cfeCases } from '../../src/server/platform/database/schema/cfe.ts'
import { fiscalData, invoices, payments, quotes } from '../../src/server/platform/database/schema/payments.ts'
import { events, tasks } from '../../src/server/platform/database/schema/projects.ts'
import { storeCode } from '../kit/agencies.ts'
import {
  around,
  customerWithVisit,
  hour,
  minute,
  proposedVisit,
  storeVisit,
  visitOf,
} from '../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { sendDraft, storeDraft, visited } from '../kit/quotes.ts'
import { emailsAbout, eventsOf, expectPage, expectWords, readable, rowIn } from '../kit/reading.ts'

openEach()
sendJobs()

const home = (who: Person) => world.visit('/admin', who)
const confirm = (visit: { id: string; version: number; assigneeId: string }, by: Person) =>
  world.post(
    '/admin',
    {
      intent: 'confirm',
      appointmentId: visit.id,
      version: String(visit.version),
      assigneeId: visit.assigneeId,
    },
    by,
  )
const visitNow = async ({ id }: { id: string }) => (await rowIn(world, appointments, { id }))!

test('with nothing to do the office reads so, and the others have no such list', async () => {
  for (const who of [people.manager, people.analyst])
    expectWords(readable(await home(who)), 'Todo está al día', 'Esto es lo de hoy.')
  for (const who of [people.technician, people.gester, people.ally])
    expect(readable(await home(who))).not.toMatch(/Todo está al día|Para hoy/)
})

test('a late visit says how late it is, and calls its technician; an analyst has their own', async () => {
  const { analyst, manager, technician } = people
  const customer = await world.person({ name: 'Lucía' })
  const at = await world.home(customer)
  const visit = await storeVisit(world, customer, at, new Date(Date.now() + hour), {
    assigneeId: technician.id,
  })
  await world.db.update(users).set({ phone: '5587654321' }).where(eq(users.id, technician.id))
  expect(readable(await home(manager))).not.toContain('Lucía')
  world.at(around(visit, 38 * minute))
  const page = await home(manager)
  // Unless it began a moment before midnight.
  if (localDate(toMinutes(visit.startsAt)) === localDate(toMinutes(new Date()))) {
    expectWords(readable(page), 'Tienes 1 cosa por resolver.', 'Va tarde', '38 min tarde', 'Llamar a Tomás')
    expect(page.text).toContain('href="tel:+525587654321"')
  } else expectWords(readable(page), 'Sin cerrar')
  expect(readable(await home(analyst))).not.toContain('Lucía')
})

test('a proposed assignment is confirmed where it stands, once, by the manager only', async () => {
  const { customer, visit } = await customerWithVisit(world)
  const proposed = { ...visit, assigneeId: visit.assigneeId! }
  expectWords(readable(await home(people.manager)), 'Por asignar', 'Camila Prueba', visit.folio, 'Confirmar')
  for (const who of [people.analyst, people.technician, people.gester, people.ally, customer])
    expect((await confirm(proposed, who)).status).toBe(403)
  const answers = await Promise.all([confirm(proposed, people.manager), confirm(proposed, people.manager)])
  expect(answers.map(({ location }) => location)).toEqual(['/admin', '/admin'])
  expect(await visitOf(world, customer)).toMatchObject({ state: 'assigned', assigneeId: visit.assigneeId })
  expect(await emailsAbout(world, visit)).toEqual([
    'booked to customer',
    'assigned to customer',
    'assigned to person',
  ])
  const told = readable(await home(people.manager))
  expectWords(told, 'Cita asignada', 'Todo está al día')
  expect(told).not.toContain('m..')
})

test('one that changed meanwhile, or whose person cannot any more, is not, and says so', async () => {
  const visit = await proposedVisit(world)
  expectPage(await confirm({ ...visit, version: 7 }, people.manager), 409, 'Alguien más actualizó')
  await world.db.update(users).set({ active: false }).where(eq(users.id, visit.assigneeId))
  expectPage(await confirm(visit, people.manager), 409, 'No se pudo asignar')
  expect((await confirm({ ...visit, id: 'nada' }, people.manager)).status).toBe(400)
  expect(await visitNow(visit)).toMatchObject({ state: 'requested', version: 1 })
})

test('all are confirmed with one press; those that changed meanwhile are told by name and stay', async () => {
  const three = [await proposedVisit(world), await proposedVisit(world), await proposedVisit(world)]
  const page = readable(await home(people.manager))
  expectWords(page, '3 citas con persona propuesta', 'Confirmar las 3')
  const [, changed, gone] = three as [unknown, (typeof three)[0], (typeof three)[0]]
  await world.db.update(appointments).set({ version: 2 }).where(eq(appointments.id, changed.id))
  await world.db.update(users).set({ active: false }).where(eq(users.id, gone.assigneeId))
  for (const [at, name] of [
    [changed, 'Ana'],
    [gone, 'Beto'],
  ] as const)
    await world.db.update(users).set({ name }).where(eq(users.id, at.customerId))
  const form = {
    intent: 'confirm-all',
    proposed: three.map(({ assigneeId, id, version }) => `${id}:${version}:${assigneeId}`).join(','),
  }
  expect((await world.post('/admin', form, people.analyst)).status).toBe(403)
  expect((await world.post('/admin', form, people.manager)).location).toBe('/admin')
  expect((await Promise.all(three.map(visitNow))).map(({ state }) => state)).toEqual([
    'assigned',
    'requested',
    'requested',
  ])
  const told = readable(await home(people.manager))
  expectWords(told, '1 cita asignada; 2 no', 'Ana Prueba: Alguien más actualizó', 'Beto Prueba: ')
  expect((await emailsAbout(world, changed)).length + (await emailsAbout(world, gone)).length).toBe(0)
  for (const proposed of ['', 'nada', `${gone.id}:1`, form.proposed.repeat(30)])
    expect((await world.post('/admin', { ...form, proposed }, people.manager)).status).toBe(400)
})

test('a fault of the database in the middle ends in a verdict each, and nothing confirmed is kept quiet', async () => {
  const four = [
    await proposedVisit(world),
    await proposedVisit(world),
    await proposedVisit(world),
    await proposedVisit(world),
  ]
  const [, odd, lost] = four as unknown as [unknown, { id: string }, { id: string }]
  await world.db.$client.query(`create function fault() returns trigger language plpgsql as
    $$ begin raise exception using errcode = case new.id when '${odd.id}' then '23514' else '57P01' end; end $$;
    create trigger fault before update on appointments for each row
      when (new.id in ('${odd.id}', '${lost.id}')) execute function fault()`)
  const form = {
    intent: 'confirm-all',
    proposed: four.map(({ assigneeId, id, version }) => `${id}:${version}:${assigneeId}`).join(','),
  }
  expect((await world.post('/admin/assignations', form, people.manager)).location).toBe('/admin/assignations')
  // Of the second only this one failed; from the third on the database was gone.
  expect((await Promise.all(four.map(visitNow))).map(({ state }) => state)).toEqual([
    'assigned',
    'requested',
    'requested',
    'requested',
  ])
  const told = readable(await home(people.manager))
  expectWords(told, '1 cita asignada; 3 no', 'Vuelve a intentarlo', 'Deshacer')
  await world.db.$client.query('drop trigger fault on appointments')
  await world.post('/admin/assignations', form, people.manager)
  expect((await Promise.all(four.map(visitNow))).every(({ state }) => state === 'assigned')).toBe(true)
})

test('one whose customer is asked about another time is not proposed', async () => {
  const visit = await proposedVisit(world)
  await world.db.insert(moveOffers).values({
    appointmentId: visit.id,
    absentId: people.technician.id,
    assigneeId: visit.assigneeId,
    fromStartsAt: visit.startsAt,
    toStartsAt: around(visit, hour),
    harm: 10,
    madeBy: people.manager.id,
    expiresAt: around(visit, -hour),
  })
  expect(readable(await home(people.manager))).not.toContain(visit.folio)
})

test('what nobody confirmed and the system did by itself is told in the morning, with its list', async () => {
  const { technician, technician2, manager } = people
  const one = await customerWithVisit(world)
  const evening = toDate(minuteAt(localDate(toMinutes(one.visit.startsAt) - 1440), '18:00'))
  await confirmProvisional(world.db, evening)
  expectWords(readable(await home(manager)), 'el sistema confirmó 1 cita', one.visit.folio)
  const two = await customerWithVisit(world)
  for (const { id } of [technician, technician2])
    await world.db.update(users).set({ active: false }).where(eq(users.id, id))
  await confirmProvisional(
    world.db,
    toDate(minuteAt(localDate(toMinutes(two.visit.startsAt) - 1440), '18:00')),
  )
  const page = readable(await home(manager))
  expectWords(page, 'el sistema confirmó 1 cita y dejó 1 sin persona.', two.visit.folio)
  expect(page.indexOf(two.visit.folio)).toBeLessThan(page.indexOf(one.visit.folio))
  expect(readable(await home(people.analyst))).not.toContain('el sistema')
})

test('what waits too long says so', async () => {
  const ago = (hours: number) => new Date(Date.now() - hours * hour)
  await world.db.insert(tasks).values([
    { subject: 'Llamar a Rosa', reason: 'call_back', phone: '5512345678', createdAt: ago(6 * 24 + 1) },
    { subject: 'Llamar a Raúl', reason: 'call_back', phone: '5512345678', createdAt: ago(2) },
  ])
  const page = await home(people.analyst)
  expectWords(readable(page), 'Tienes 2 cosas por resolver.', 'Espera desde hace 6 días', 'Hace 2 horas')
  expect(page.text).toContain('href="tel:+525512345678"')
})

test('a code beyond its agency’s limit is approved where it stands', async () => {
  const { ally, manager } = people
  const wish = { benefitKind: 'percent', benefitValue: 15_00, state: 'draft', askedAt: new Date() } as const
  const [code, over] = [
    await storeCode(world, ally, wish),
    await storeCode(world, ally, { ...wish, endsOn: '2026-01-02' }),
  ]
  const page = readable(await home(manager))
  expectWords(page, 'Código por aprobar', code.code, '15 % de descuento', 'Lo pide')
  expect(page).not.toContain(over.code)
  const form = { intent: 'codes.approve', codeId: code.id, version: '1' }
  expect((await world.post('/admin', form, people.analyst)).status).toBe(403)
  expect((await world.post('/admin', form, manager)).location).toBe('/admin')
  expectWords(readable(await home(manager)), `Aprobaste el código ${code.code}`)
  expect((await eventsOf(world, code.id, 'code')).at(-1)).toMatchObject({
    name: 'approve',
    toState: 'active',
  })
})

test('quotes to call about, overdue charges, fiscal data and invoices wait there, each with its button', async () => {
  const { analyst, customer, manager, technician } = people
  const visit = await visited(world, customer, technician)
  const { projectId } = visit
  const quote = await sendDraft(world, analyst, await storeDraft(world, visit, analyst))
  await world.db.update(quotes).set({ state: 'viewed', viewedAt: new Date() }).where(eq(quotes.id, quote.id))
  const whose = { customerId: customer.id, projectId }
  const past = new Date(Date.now() - 3 * 24 * hour)
  const fee = { ...whose, concept: 'visit_fee', amount: 50_000, dueAt: past } as const
  await world.db.insert(payments).values({ ...fee, folio: 'PAG-VENCIDO' })
  await world.db.insert(fiscalData).values({
    customerId: customer.id,
    state: 'submitted',
    submittedAt: past,
    rfc: 'CACX7605101P8',
    legalName: 'CAMILA PRUEBA',
    regime: '612',
    cfdiUse: 'G03',
    postalCode: '04000',
    email: customer.email,
  })
  await world.db.insert(invoices).values({ ...whose, kind: 'income', total: 50_000, request: {} })
  for (const who of [manager, analyst]) {
    const page = await home(who)
    expectWords(
      readable(page),
      'Llamar hoy',
      'Vio su cotización',
      quote.folio,
      'Cobro vencido',
      'PAG-VENCIDO',
    )
    expectWords(readable(page), 'Venció hace 3 días', 'Datos fiscales', 'Verificar', 'Factura por emitir')
    expect(page.text).toContain(`href="/admin/cotizations/detail-quote/${quote.id}?parte=fiscal"`)
  }
  await world.db.insert(tasks).values({
    subject: 'Llamada',
    reason: 'quote_call',
    personId: customer.id,
    quoteId: quote.id,
    doneAt: new Date(),
    dueAt: new Date(Date.now() + 48 * 3_600_000),
    takenBy: analyst.id,
    result: 'Lo piensa.',
  })
  expect(readable(await home(manager))).not.toContain('Llamar hoy')
})

test('a list that is cut says how many more there are, and leads to all of them', async () => {
  const rows = Array.from({ length: 53 }, (_, n) => ({
    subject: `Pendiente ${n}`,
    reason: 'call_back',
    phone: '5512345678',
  }))
  await world.db.insert(tasks).values(rows)
  const page = await home(people.analyst)
  expectWords(readable(page), 'Y 3 más de «Pendiente»')
  expect(page.text).toContain('href="/admin?todo=task"')
  const whole = readable(await world.visit('/admin?todo=task', people.analyst))
  expect(whole).not.toContain('más de «Pendiente»')
  expectWords(whole, 'Pendiente 0', 'Pendiente 52')
})

test('what the system ended by itself is told too', async () => {
  const ended = (entity: string, name: string) =>
    world.db.insert(events).values({ entity, entityId: crypto.randomUUID(), name })
  await ended('quote', 'expire')
  await ended('payment', 'expire')
  await ended('payment', 'expire')
  await ended('move_offer', 'expired')
  await ended('appointment', 'letGo')
  const page = readable(await home(people.manager))
  expectWords(
    page,
    'el sistema liberó 1 sin correo confirmado',
    '1 cotización, 2 pagos, 1 propuesta de horario',
  )
  expectWords(page, 'Cotizaciones vencidas')
})

test('a technician and an ally read no figure of nothing', async () => {
  for (const who of [people.technician, people.ally])
    expect(readable(await home(who))).not.toContain('Citas realizadas 0')
})

test('a gester’s home lists the cases of their turn, the overdue with how long', async () => {
  const { customer, gester } = people
  const { projectId } = await world.home(customer)
  const turn = { projectId, customerId: customer.id, gesterId: gester.id, waitingOn: 'gester' } as const
  const due = localDate(toMinutes(new Date(Date.now() - 3 * 24 * hour)))
  await world.db
    .insert(cfeCases)
    .values({ ...turn, folio: 'GES-2020-900007', kind: 'load_increase', dueOn: due })
  const page = await world.under({ MODULES: 'gesties' }).visit('/admin', gester)
  expectWords(readable(page), 'Tienes 1 cosa por resolver.', 'Trámite en tu turno', 'GES-2020-900007')
  expectWords(readable(page), 'Venció hace 3 días', 'Abrir')
  expect(readable(await home(gester))).not.toContain('GES-2020-900007')
})
