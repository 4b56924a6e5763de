import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addDays, localDate, toMinutes } from '../../../src/domain/shared/calendar.ts'
import { timeOff } from '../../../src/server/platform/database/schema/accounts.ts'
import { moveOffers } from '../../../src/server/platform/database/schema/appointments.ts'
import { hour, occupy } from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import { emailsAbout, eventsOf, expectWords, readable, rowsIn } from '../../kit/reading.ts'
import { absenceOf, bestOf, confirms } from '../../kit/scheduling.ts'
import { at, now as stored, visitFor, workday } from '../../kit/users.ts'

openEach()

const day = workday()
const absences = ({ id }: { id: string }) => rowsIn(world, timeOff, { personId: id })

test('looking at it changes nothing; the least harm comes first and is explained', async () => {
  const { manager, technician, technician2 } = people
  const early = await visitFor(world, technician, at(day, '10:00'))
  const late = await visitFor(world, technician, at(day, '15:00'))
  await occupy(world, technician2, at(day, '10:00'))
  const { plan } = await absenceOf(world, manager, technician, day)
  expect(plan.visits.map(({ id }) => id)).toEqual([late.id, early.id])
  expect(plan.visits[0]!.options[0]).toMatchObject({
    personId: technician2.id,
    isOffer: false,
    start: late.startsAt.getTime() / 60_000,
    harm: { total: 120 },
  })
  const offered = plan.visits[1]!.options[0]!
  expect([offered.isOffer, offered.harm.total]).toEqual([true, offered.harm.minutes + 120])
  expect(await absences(technician)).toEqual([])
  expect((await stored(early, world)).version).toBe(early.version)
  expect((await eventsOf(world, early.id, 'appointment')).length).toBe(0)
})

test('confirmed: the absence, who takes what at its time, and what is offered at another', async () => {
  const { manager, technician, technician2 } = people
  const early = await visitFor(world, technician, at(day, '10:00'))
  const late = await visitFor(world, technician, at(day, '15:00'))
  await occupy(world, technician2, at(day, '10:00'))
  const { plan } = await absenceOf(world, manager, technician, day)
  const answer = await confirms(world, manager, technician, day, { ...bestOf(plan), reason: 'Gripe' })
  expect(answer.status).toBe(303)
  expect(await stored(late, world)).toMatchObject({ assigneeId: technician2.id, state: 'assigned' })
  expect(await emailsAbout(world, late)).toContain('assigned to customer')
  const waiting = await stored(early, world)
  expect(waiting).toMatchObject({ assigneeId: null, state: 'requested', startsAt: early.startsAt })
  // The offer is the customer's letter, and no history says why the person is away.
  expect(await emailsAbout(world, early)).toEqual(['no_person to person'])
  expect(JSON.stringify(await eventsOf(world, early.id, 'appointment'))).not.toContain('Gripe')
  expect(await absences(technician)).toMatchObject([{ reason: 'Gripe', approvedBy: manager.id }])
  const { plan: after, offers } = await absenceOf(world, manager, technician, day)
  expect([after.recorded, after.visits]).toMatchObject([{ isOwn: true, reason: 'Gripe' }, []])
  expect(offers).toMatchObject([{ appointmentId: early.id, standing: 'sent', customer: 'Camila P.' }])
  const page = readable(await world.visit(answer.location!, manager))
  expect(page).toContain('Sin respuesta')
})

test('an offer made at night is written in the morning', async () => {
  const { manager, technician, technician2 } = people
  const visit = await visitFor(world, technician, at(day, '15:00'))
  await occupy(world, technician2, at(day, '15:00'))
  const { plan } = await absenceOf(world, manager, technician, day)
  const night = at(localDate(toMinutes(new Date())), '23:00')
  world.at(night)
  await confirms(world, manager, technician, day, bestOf(plan))
  const { rows } = await world.db.execute<{ start_after: string }>(
    sql`select start_after from pgboss.job where data ->> 'letter' = 'move_offer'`,
  )
  expect(rows.map(({ start_after }) => new Date(start_after))).toEqual([new Date(night.getTime() + 9 * hour)])
  expect(await stored(visit, world)).toMatchObject({ assigneeId: null })
})

test('sent twice, it is one absence and one offer', async () => {
  const { manager, technician, technician2 } = people
  await visitFor(world, technician, at(day, '10:00'))
  await occupy(world, technician2, at(day, '10:00'))
  const form = bestOf((await absenceOf(world, manager, technician, day)).plan)
  const both = await Promise.all([1, 2].map(() => confirms(world, manager, technician, day, form)))
  expect(both.map(({ status }) => status).toSorted()).toEqual([303, 409])
  expect(await absences(technician)).toHaveLength(1)
  expect(await world.db.select().from(moveOffers)).toHaveLength(1)
})

test('two managers at once: the second hears who was first, sees what was offered, and keeps what they wrote', async () => {
  const { manager, technician, technician2 } = people
  const second = await world.person({ kind: 'manager', name: 'Marta', lastname: 'Segunda' })
  await visitFor(world, technician, at(day, '10:00'))
  await occupy(world, technician2, at(day, '10:00'))
  const form = bestOf((await absenceOf(world, manager, technician, day)).plan)
  expect((await confirms(world, manager, technician, day, { ...form, reason: 'Gripe' })).status).toBe(303)
  const lost = await confirms(world, second, technician, day, { ...form, reason: 'Fiebre' })
  expect(lost.status).toBe(409)
  const page = readable(lost)
  expect(page).toContain(`${manager.name} Prueba la registró antes que tú`)
  expect(page).toContain('Esto escribiste: «Fiebre»')
  expect(page).toContain('Sin respuesta')
  expect(await absences(technician)).toMatchObject([{ reason: 'Gripe' }])
  const { plan } = await absenceOf(world, second, technician, day)
  expect(plan.recorded).toMatchObject({ by: `${manager.name} Prueba`, isOwn: false })
})

test('when anything changed meanwhile, all of it is refused with what to decide anew', async () => {
  const { manager, technician, technician2 } = people
  const early = await visitFor(world, technician, at(day, '10:00'))
  const late = await visitFor(world, technician, at(day, '15:00'))
  await occupy(world, technician2, at(day, '10:00'))
  const { plan } = await absenceOf(world, manager, technician, day)
  await occupy(world, technician2, at(day, '15:00'))
  const taken = await confirms(world, manager, technician, day, bestOf(plan))
  expect([taken.status, readable(taken).includes('Ya tiene otra cita a esa hora')]).toEqual([409, true])
  const offered = plan.visits.find(({ id }) => id === early.id)!.options[0]!
  await occupy(world, { id: offered.personId } as never, new Date(offered.start * 60_000))
  const gone = await confirms(world, manager, technician, day, bestOf(plan))
  expect([gone.status, readable(gone).includes('Ese horario ya no se puede')]).toEqual([409, true])
  const another = await visitFor(world, technician, at(day, '12:00'))
  const missing = await confirms(world, manager, technician, day, bestOf(plan))
  expect(missing.status).toBe(409)
  for (const visit of [early, late, another])
    expect(await stored(visit, world)).toMatchObject({ assigneeId: technician.id })
  expect(await absences(technician)).toEqual([])
  expect(await world.db.select().from(moveOffers)).toEqual([])
})

test('whoever is on the way finishes first; the absence counts from then', async () => {
  const { manager, technician } = people
  world.at(at(day, '09:45'))
  await visitFor(world, technician, at(day, '10:00'), { state: 'en_route' })
  const { plan } = await absenceOf(world, manager, technician, day)
  expect([plan.visits.length, plan.underWay.length]).toEqual([0, 1])
  expect((await confirms(world, manager, technician, day, bestOf(plan))).status).toBe(303)
  const [absence] = await absences(technician)
  expect(absence!.during).toContain(at(day, '11:00').toISOString().slice(11, 16))
})

test('half a day off is no absence: the rest of the day is not said to be written down', async () => {
  const { manager, technician } = people
  const [from, to] = [at(day, '15:00'), at(addDays(day, 1), '00:00')]
  const during = `[${from.toISOString()},${to.toISOString()})`
  await world.db.insert(timeOff).values({ personId: technician.id, during, approvedAt: new Date() })
  const { plan } = await absenceOf(world, manager, technician, day)
  expect(plan.recorded).toBeNull()
  const refused = await confirms(world, manager, technician, day, bestOf(plan))
  expect([refused.status, readable(refused)]).toEqual([409, expect.stringContaining('Quítalo primero')])
  world.at(at(day, '16:00'))
  expect((await absenceOf(world, manager, technician, day)).plan.recorded).not.toBeNull()
})

test('several days are one absence: every appointment of them is proposed, and one press settles all', async () => {
  const { manager, technician, technician2 } = people
  const [later, dates] = [workday(1), `${day}..${workday(1)}`]
  const first = await visitFor(world, technician, at(day, '10:00'))
  const second = await visitFor(world, technician, at(later, '10:00'), {
    state: 'requested',
    confirmedAt: null,
  })
  const last = await visitFor(world, technician, at(later, '15:00'))
  const after = await visitFor(world, technician, at(workday(2), '10:00'))
  await occupy(world, technician2, at(later, '15:00'))
  const { plan } = await absenceOf(world, manager, technician, dates)
  expect(plan.visits.map(({ id }) => id).toSorted()).toEqual([first.id, second.id, last.id].toSorted())
  expect(plan.boards.map((board) => board.day.date)).toEqual([day, later])
  const away = { from: at(day, '00:00'), to: at(addDays(later, 1), '00:00') }
  for (const { options } of plan.visits)
    for (const { personId, start } of options)
      expect(personId === technician.id && start >= toMinutes(away.from) && start < toMinutes(away.to)).toBe(
        false,
      )
  const page = readable(
    await world.visit(
      `/admin/assignations/ausencia?persona=${technician.id}&dia=${day}&hasta=${later}`,
      manager,
    ),
  )
  expectWords(
    page,
    'Tiene 3 citas esos días',
    'Al confirmar',
    'A 1 cliente le preguntamos',
    'Esto no se puede deshacer',
  )

  const answer = await confirms(world, manager, technician, dates, { ...bestOf(plan), reason: 'Cirugía' })
  expect([answer.status, answer.location]).toEqual([303, expect.stringContaining(`hasta=${later}`)])
  for (const visit of [first, second])
    expect(await stored(visit, world)).toMatchObject({
      assigneeId: technician2.id,
      state: 'assigned',
      confirmedAt: expect.any(Date),
    })
  expect(await stored(last, world)).toMatchObject({ assigneeId: null, state: 'requested' })
  expect(await stored(after, world)).toMatchObject({ assigneeId: technician.id, version: after.version })
  const [absence, ...more] = await absences(technician)
  expect(more).toEqual([])
  for (const moment of [away.from, away.to])
    expect(absence!.during).toContain(moment.toISOString().slice(0, 16).replace('T', ' '))
  for (const seen of [dates, later]) {
    const { plan: told, offers, settled } = await absenceOf(world, manager, technician, seen)
    const given = seen === dates ? [first, second] : [second]
    expect(settled).toMatchObject(
      given.map(({ id }) => ({ id, assignee: expect.stringContaining(technician2.name ?? '') })),
    )
    expect([told.recorded?.reason, told.visits, offers.map(({ appointmentId }) => appointmentId)]).toEqual([
      'Cirugía',
      [],
      [last.id],
    ])
  }
})

test('several days with a permit among them are refused whole; days that end before they begin are one day', async () => {
  const { manager, technician } = people
  const dates = `${day}..${workday(1)}`
  const visit = await visitFor(world, technician, at(day, '10:00'))
  const [from, to] = [at(workday(1), '00:00'), at(workday(1), '12:00')]
  await world.db.insert(timeOff).values({
    personId: technician.id,
    during: `[${from.toISOString()},${to.toISOString()})`,
    approvedAt: new Date(),
  })
  const { plan } = await absenceOf(world, manager, technician, dates)
  const refused = await confirms(world, manager, technician, dates, bestOf(plan))
  expect([refused.status, readable(refused)]).toEqual([409, expect.stringContaining('Quítalo primero')])
  expect(await stored(visit, world)).toMatchObject({ assigneeId: technician.id })
  expect(await absences(technician)).toHaveLength(1)
  expect((await absenceOf(world, manager, technician, `${day}..${addDays(day, -3)}`)).plan).toMatchObject({
    date: day,
    until: day,
  })
  expect((await absenceOf(world, manager, technician, `${day}..${addDays(day, 300)}`)).plan).toMatchObject({
    until: addDays(day, 30),
  })
})

test('nothing for who carries nothing out, and no choice that is none', async () => {
  const { manager, technician, gester, customer } = people
  const visit = await visitFor(world, technician, at(day, '10:00'))
  const form = bestOf((await absenceOf(world, manager, technician, day)).plan)
  for (const id of ['x', gester.id, customer.id])
    expect((await world.visit(`/admin/assignations/ausencia?persona=${id}`, manager)).status).toBe(404)
  const wrong = await confirms(world, manager, technician, day, { ...form, [`choice.${visit.id}`]: 'keep' })
  expect([wrong.status, wrong.text.includes('Elige qué hacer con esta cita')]).toEqual([400, true])
  expect(await absences(technician)).toEqual([])
})
