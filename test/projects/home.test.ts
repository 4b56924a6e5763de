import { confirmProvisional } from '../../src/appointments/jobs.ts'
import { users } from '../../src/platform/database/schema/accounts.ts'
import { appointments, moveOffers } from '../../src/platform/database/schema/appointments.ts'
import { cfeCases } from '../../src/platform/database/schema/cfe.ts'
import { invoices, payments, quotes } from '../../src/platform/database/schema/payments.ts'
import { events, tasks } from '../../src/platform/database/schema/projects.ts'
import { rejectQuote } from '../../src/quotes/answers.ts'
import { addDays, localDate, minuteAt, toDate, toMinutes } from '../../src/shared/calendar.ts'
import { storeCode } from '../kit/agencies.ts'
import {
  around,
  customerWithVisit,
  deactivate,
  hour,
  minute,
  proposedVisit,
  type Visit,
  visitAtHome,
} from '../kit/appointments.ts'
import { storeFiscal } from '../kit/invoices.ts'
import {
  ally,
  analyst,
  customer,
  db,
  expectEmails,
  expectRow,
  expectScreen,
  fixture,
  gester,
  inParallel,
  manager,
  openEach,
  pageText,
  post,
  rowWhere,
  sendJobs,
  setRow,
  storeRows,
  technician,
  technician2,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { sendDraft, storeDraft, visited } from '../kit/quotes.ts'
import { expectAnswered, expectLocation, expectPage, expectWords, loaded, readable } from '../kit/reading.ts'

openEach()
sendJobs()

const home = (who = manager) => pageText('/admin', who)
const ago = (hours: number) => new Date(Date.now() - hours * hour)
const change = (set: Partial<Visit>, { id }: Pick<Visit, 'id'>) => setRow(appointments, id, set)
// That no other role may: test/security/actions.
const confirm = ({ assigneeId, id, version }: Visit) => {
  const form = { appointmentId: id, version: String(version), assigneeId: assigneeId! }
  return post('/admin', { intent: 'confirm', ...form }, manager)
}
const statesOf = async (visits: readonly Visit[]) =>
  Promise.all(visits.map(async ({ id }) => (await rowWhere(appointments, { id }))!.state))
const storeProposed = (count: number) => inParallel(count, () => proposedVisit())
const confirmAll = (proposed: string, path = '/admin') =>
  post(path, { intent: 'confirm-all', proposed }, manager)
const listed = (visits: readonly Visit[]) =>
  visits.map(({ assigneeId, id, version }) => `${id}:${version}:${assigneeId}`).join(',')

test('an empty home says so to the office, and has no list and no zeros for other staff', async () => {
  await expectScreen('/admin', analyst, 'Todo está al día', 'Esto es lo de hoy.')
  for (const who of [technician, gester, ally])
    expect(await home(who)).not.toMatch(/Todo está al día|Para hoy|Citas realizadas 0/)
})

test('shows the manager how late a visit is and its technician’s phone', async () => {
  const customer = await fixture.person({ name: 'Lucía' })
  const visit = await visitAtHome(customer, ago(-1), {
    assigneeId: technician.id,
  })
  await setRow(users, technician.id, { phone: '5587654321' })
  expect(await home()).not.toContain('Lucía')
  fixture.at(around(visit, 38 * minute))
  const page = await fixture.visit('/admin', manager)
  // Unless it began a moment before midnight.
  if (localDate(toMinutes(visit.startsAt)) === localDate(toMinutes(new Date()))) {
    const words = [
      'Tienes 1 cosa por resolver.',
      'Va tarde',
      '38 min tarde',
      'Llamar a Tomás',
      '558 765 43 21',
    ]
    expectWords(readable(page), ...words)
    expectWords(page.text, 'href="tel:+525587654321"')
  } else expectWords(readable(page), 'Sin cerrar')
  expect(await home(analyst)).not.toContain('Lucía')
})

test('a manager confirms a proposed assignment once, with its e-mails', async () => {
  const { visit } = await customerWithVisit()
  expectWords(await home(), 'Por confirmar', 'Camila Prueba', visit.folio, 'Confirmar')
  const answers = await Promise.all([confirm(visit), confirm(visit)])
  expect(answers.map(({ location }) => location)).toEqual(['/admin', '/admin'])
  const { assigneeId, id } = visit
  await expectRow(appointments, { id }, { state: 'assigned', assigneeId })
  const emails = ['booked to customer', 'assigned to customer', 'assigned to person']
  await expectEmails(visit, emails)
  const page = await home()
  expectWords(page, 'Cita asignada', 'Todo está al día')
  expect(page).not.toContain('m..')
})

test('a manager confirms no proposed assignment that changed, of an inactive person or of a customer asked about another time', async () => {
  const visit = await proposedVisit()
  expectPage(await confirm({ ...visit, version: 7 }), 409, 'Revisa lo que cambió')
  await deactivate({ id: visit.assigneeId } as Person)
  expectPage(await confirm(visit), 409, 'No se pudo asignar')
  await expectAnswered(confirm({ ...visit, id: 'nada' }), 400)
  expect(await statesOf([visit])).toEqual(['requested'])
  const { assigneeId, folio, id: appointmentId, startsAt: fromStartsAt } = await proposedVisit()
  const start = { startsAt: fromStartsAt }
  await storeRows(moveOffers, {
    appointmentId,
    assigneeId,
    fromStartsAt,
    absentId: technician.id,
    toStartsAt: around(start, hour),
    harm: 10,
    madeBy: manager.id,
    expiresAt: around(start, -hour),
  })
  expect(await home()).not.toContain(folio)
})

test('a manager confirms all proposed assignments at once, except those that changed, which are named', async () => {
  const three = await storeProposed(3)
  const [, changed, gone] = three as [Visit, Visit, Visit]
  expectWords(await home(), '3 citas con persona propuesta', 'Confirmar las 3')
  await change({ version: 2 }, changed)
  await deactivate({ id: gone.assigneeId } as Person)
  const proposed = listed(three)
  expectLocation(await confirmAll(proposed), '/admin')
  expect(await statesOf(three)).toEqual(['assigned', 'requested', 'requested'])
  const words = ['1 cita asignada; 2 no', 'Revisa lo que cambió']
  expectWords(await home(), ...words)
  for (const visit of [changed, gone]) await expectEmails(visit, [])
  for (const wrong of ['', 'nada', `${gone.id}:1`, proposed.repeat(30)])
    await expectAnswered(confirmAll(wrong), 400)
})

test('confirming all at once through faults of the database gives each a result, and can be tried again', async () => {
  const four = await storeProposed(4)
  const [, odd, lost] = four as [Visit, Visit, Visit, Visit]
  await db.$client.query(`create function fault() returns trigger language plpgsql as
    $$ begin raise exception using errcode = case new.id when '${odd.id}' then '23514' else '57P01' end; end $$;
    create trigger fault before update on appointments for each row
      when (new.id in ('${odd.id}', '${lost.id}')) execute function fault()`)
  const board = '/admin/assignations'
  expectLocation(await confirmAll(listed(four), board), board)
  await db.$client.query('drop trigger fault on appointments; drop function fault')
  // Of the second only this one failed; from the third on the database was gone.
  expect(await statesOf(four)).toEqual(['assigned', 'requested', 'requested', 'requested'])
  expectWords(await home(), '1 cita asignada; 3 no', 'Vuelve a intentarlo', 'Deshacer')
  await confirmAll(listed(four), board)
  expect(new Set(await statesOf(four))).toEqual(new Set(['assigned']))
})

test('shows the manager in the morning what the system confirmed, left unassigned and ended by itself', async () => {
  const eveningBefore = ({ startsAt }: Visit) =>
    toDate(minuteAt(localDate(toMinutes(startsAt) - 1440), '18:00'))
  const { visit: confirmed } = await customerWithVisit()
  await confirmProvisional(db, eveningBefore(confirmed))
  expectWords(await home(), 'el sistema confirmó 1 cita', confirmed.folio)
  const { visit: left } = await customerWithVisit()
  for (const one of [technician, technician2]) await deactivate(one)
  await confirmProvisional(db, eveningBefore(left))
  const page = await home()
  expectWords(page, 'el sistema confirmó 1 cita y dejó 1 sin persona.', left.folio)
  expect(page.indexOf(left.folio)).toBeLessThan(page.indexOf(confirmed.folio))
  expect(await home(analyst)).not.toContain('el sistema')
  for (const [entity, name] of [
    ['quote', 'expire'],
    ['payment', 'expire'],
    ['payment', 'expire'],
    ['move_offer', 'expired'],
    ['appointment', 'letGo'],
  ] as const)
    await storeRows(events, { entity, entityId: crypto.randomUUID(), name })
  const words = ['liberó 1 sin correo confirmado', '1 cotización, 2 pagos, 1 propuesta de horario']
  expectWords(await home(), ...words, 'Cotizaciones vencidas')
})

test('shows tasks with how long they wait; a long list is cut, with the number left and a link to all', async () => {
  const task = { reason: 'call_back', phone: '5512345678' }
  const rows = Array.from({ length: 53 }, (_, n) => ({
    subject: `Pendiente ${n}`,
    ...task,
    createdAt: ago(2),
  }))
  await storeRows(tasks, [{ ...rows[0]!, createdAt: ago(6 * 24 + 1) }, ...rows.slice(1)])
  const page = await fixture.visit('/admin', analyst)
  expectWords(
    readable(page),
    'Tienes 53 cosas por resolver.',
    '53 pendientes',
    'Hace 6 días',
    'Hace 2 horas',
    '551 234 56 78',
    'Y 43 más de «Pendiente»',
  )
  expectWords(page.text, 'href="tel:+525512345678"', 'href="/admin?todo=task"')
  const whole = await pageText('/admin?todo=task', analyst)
  expect(whole).not.toContain('más de «Pendiente»')
  expectWords(whole, 'Pendiente 0', 'Pendiente 52')
})

describe('a line of work', () => {
  const mark = (task: { id: string }, intent: string, more: Record<string, string> = {}, who = analyst) =>
    post('/admin', { intent, [`row.${task.id}`]: 'task', ...more }, who)
  const storeTask = async () => {
    const row = { subject: 'Pide su factura', reason: 'call_back', personId: customer.id }
    return (await storeRows(tasks, row))[0]!
  }

  test('is taken by a colleague, who finds it among theirs, and given back', async () => {
    const task = await storeTask()
    expectLocation(await mark(task, 'assign-work', { to: manager.id }), '/admin')
    expectWords(await home(analyst), `La tomó ${manager.name}`, 'Pide su factura')
    expect(await home(analyst)).not.toContain('todo=mias')
    expectWords(await pageText('/admin?todo=mias', manager), 'Pide su factura')
    expect(await pageText('/admin?todo=mias', analyst)).toContain('Aquí no hay nada ahora.')
    await mark(task, 'assign-work', { to: '' }, manager)
    expect(await home()).not.toContain('La tomó')
    await expectAnswered(mark(task, 'assign-work', { to: technician.id }), 409)
  })

  test('is put off until tomorrow for all the office, stays counted, and is back in time', async () => {
    const task = await storeTask()
    expectLocation(await mark(task, 'snooze-work', { until: '' }), '/admin')
    for (const who of [manager, analyst]) {
      const page = await home(who)
      expect(page).not.toContain('Pide su factura')
      expectWords(page, '1 pendiente', 'Pospuestas')
    }
    for (const view of ['task', 'pospuestas'])
      expectWords(await pageText(`/admin?todo=${view}`, manager), 'Pospuesta hasta mañana, 9:00 a. m.')
    const tomorrow = addDays(localDate(toMinutes(new Date())), 1)
    fixture.at(toDate(minuteAt(tomorrow, '09:00')))
    expectWords(await home(), 'Pide su factura')
    fixture.at(new Date())
    await mark(task, 'return-work')
    expectWords(await home(), 'Pide su factura')
  })

  test('that was put off is back once it is urgent', async () => {
    const task = await storeTask()
    await mark(task, 'snooze-work', { until: '' })
    await setRow(tasks, task.id, { urgent: true })
    expectWords(await home(), 'Urgente', 'Pide su factura')
  })

  test('is not put off while somebody waits, to a day that is over or too far, nor without a mark', async () => {
    const task = await storeTask()
    const day = (days: number) => addDays(localDate(toMinutes(new Date())), days)
    for (const until of [day(0), day(31), 'nunca'])
      expectPage(await mark(task, 'snooze-work', { until }), 400, 'Elige un día')
    const late = { until: '', [`row.${task.id}`]: 'late' }
    expectPage(await mark(task, 'snooze-work', late), 409, 'Hay alguien que espera ahora')
    await expectAnswered(mark(task, 'snooze-work', { ...late, [`row.${task.id}`]: 'nada' }), 400)
    expectPage(await post('/admin', { intent: 'snooze-work', until: '' }, analyst), 400, 'Marca de 1 a 50')
    expectWords(await home(), 'Pide su factura')
  })
})

test('lets the manager approve a code beyond its agency’s limit', async () => {
  const draft = { benefitKind: 'percent', benefitValue: 15_00, state: 'draft', askedAt: new Date() } as const
  const { code, id } = await storeCode(ally, draft)
  const over = await storeCode(ally, { ...draft, endsOn: '2026-01-02' })
  const page = await home()
  expectWords(page, '1 código', code, '15 % de descuento', 'Lo pide')
  expect(page).not.toContain(over.code)
  const form = { intent: 'codes.approve', codeId: id, version: '1' }
  expectLocation(await post('/admin', form, manager), '/admin')
  await expectScreen('/admin', manager, `Aprobaste el código ${code}`)
})

test('shows the office quotes to call about, overdue charges, fiscal data and invoices, each with its button', async () => {
  const visit = await visited(customer, technician)
  const quote = await sendDraft(fixture, analyst, await storeDraft(fixture, visit, analyst))
  await setRow(quotes, quote.id, { state: 'viewed', viewedAt: new Date() })
  const whose = { customerId: customer.id, projectId: visit.projectId }
  const fee = { ...whose, concept: 'visit_fee', amount: 50_000, dueAt: ago(72) } as const
  await storeRows(payments, { ...fee, folio: 'PAG-VENCIDO' })
  await storeFiscal(customer, { state: 'submitted', submittedAt: ago(72) })
  await storeRows(invoices, { ...whose, kind: 'income', total: 50_000, request: {} })
  const calls = ['Llamar hoy', 'Vio su cotización', quote.folio]
  const charge = ['Cobro vencido', 'PAG-VENCIDO', 'Venció hace 3 días']
  const fiscal = ['Datos fiscales', 'Verificar', 'Factura', 'Emitir']
  const link = `href="/admin/cotizations/detail-quote/${quote.id}?parte=fiscal"`
  for (const who of [manager, analyst])
    await expectScreen('/admin', who, ...calls, ...charge, ...fiscal, link)
  const called = { personId: customer.id, quoteId: quote.id, takenBy: analyst.id, doneAt: new Date() }
  const task = { ...called, subject: 'Llamada', reason: 'quote_call', dueAt: ago(-48), result: 'Lo piensa.' }
  await storeRows(tasks, task)
  expect(await home()).not.toContain('Llamar hoy')
})

test('shows a gester the cases of their turn, with how long they are overdue, if the module is on', async () => {
  const { projectId } = await fixture.home(customer)
  const folio = 'GES-2020-900007'
  const whose = { projectId, customerId: customer.id, gesterId: gester.id, waitingOn: 'gester' } as const
  const dueOn = localDate(toMinutes(ago(72)))
  await storeRows(cfeCases, { ...whose, folio, kind: 'load_increase', dueOn })
  const page = readable(await fixture.under({ MODULES: 'gesties' }).visit('/admin', gester))
  expectWords(page, 'Tienes 1 cosa por resolver.', 'En tu turno', folio, 'Venció hace 3 días', 'Abrir')
  for (const who of [manager, analyst])
    expectPage(await fixture.under({ MODULES: 'gesties' }).visit('/admin', who), 200)
  expect(await home(gester)).not.toContain(folio)
})

test('shows the office a refused quote once: by its task, and to be quoted once that is closed', async () => {
  const visit = await visited(customer, technician)
  const { id, version } = await sendDraft(fixture, analyst, await storeDraft(fixture, visit, analyst))
  const input = { version, reason: 'Muy cara.' }
  await rejectQuote(db, customer.actor, id, input, new Date())
  const kinds = async () =>
    loaded<{ work: { groups: { kind: string }[] } }>(
      await fixture.data('/admin', analyst),
      'customers/screens/staff',
    ).work.groups.map(({ kind }) => kind)
  expect(await kinds()).toEqual(['task'])
  expectWords(await home(analyst), 'Rechazó', 'Muy cara.')
  await db.update(tasks).set({ doneAt: new Date(), result: 'Hablamos.' })
  expect(await kinds()).toEqual(['to_quote'])
})
