import { randomUUID } from 'node:crypto'
import { mostNetworks, noteTry } from '../../src/accounts/limits.ts'
import { cleanUp } from '../../src/accounts/session.ts'
import { registerPath } from '../../src/agencies/screens/agency-paths.ts'
import { networkCounts, outward, sessions } from '../../src/platform/database/schema/accounts.ts'
import { webhookEndpoints } from '../../src/platform/database/schema/agencies.ts'
import { events } from '../../src/platform/database/schema/projects.ts'
import { runWithContext } from '../../src/platform/telemetry/log.ts'
import { securityPath as desk } from '../../src/users/screens/security-parts.tsx'
import { memberOf, password } from '../accounts/own.ts'
import { newEmail, signIn, signUp } from '../kit/accounts.ts'
import {
  agenda,
  book,
  customer as booker,
  bookVisit,
  slots,
  visit,
  visitAtHome,
} from '../kit/appointments.ts'
import {
  ally,
  analyst,
  customer,
  db,
  expectScreen,
  expectTrail,
  fixture,
  inParallel,
  manager,
  newHome,
  newPerson,
  openEach,
  pageText,
  post,
  rowsWhere,
  runSql,
  storeRows,
  technician,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectLocation, expectShown, expectStatus, expectWords } from '../kit/reading.ts'
import { newVisitor } from '../kit/visitor.ts'

openEach()

const onDesk = (intent: string, about: string) => post(desk, { intent, about }, manager)
const onPerson = (intent: string, { id }: Pick<Person, 'id'>) => onDesk(intent, id)
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000)

test('counts 200 networks an hour separately under an attack from 5,000, the others as one', async () => {
  let network = 0
  const attack = async () => {
    while (network < 5000)
      await runWithContext({ network: `10.1.${network >> 8}.${network++ & 255}` }, () =>
        noteTry(db, 'signIns'),
      )
  }
  await inParallel(4, attack)
  const rows = await rowsWhere(networkCounts)
  expect(rows.length).toBeLessThanOrEqual(mostNetworks + 5)
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(5000)
  await expectScreen(desk, manager, 'Otras redes')
  await cleanUp(db, later(31 * 24 * 60))
  expect(await rowsWhere(networkCounts)).toEqual([])
})

test('lists networks by refused tries and opened accounts, then accounts, agencies and webhooks', async () => {
  const place = '198.51.100.7'
  await signIn(newEmail(), 'equivocada', newVisitor(place))
  await signUp(newEmail(), newVisitor(place))
  await runWithContext({ network: '198.51.100.9' }, () => noteTry(db, 'stripe'))
  for (const name of ['book', 'cancel', 'rescheduleAnew', 'book', 'cancel', 'rescheduleAnew'])
    await storeRows(events, { entity: 'appointment', entityId: randomUUID(), actorId: customer.id, name })
  const held = { receiver: 'x', readerId: analyst.id, causedBy: customer.id, kind: 'person.booked' }
  await storeRows(outward, [
    { id: 'held', gatherMinutes: 60, ...held },
    { id: 'sent', ...held },
  ])
  await post(registerPath, newClient(), ally)
  for (let n = 0; n < 6; n++) await fixture.secondBrowser(technician)
  await storeRows(webhookEndpoints, {
    agencyId: ally.agencyId!,
    url: 'https://example.com',
    secret: 'x',
    madeBy: manager.id,
    failingSince: new Date(),
  })
  const text = await pageText(desk, manager)
  expectWords(text, `${place} 1 · 1 0 · 0 1 · 1`, 'Tomás Prueba 7 · 7', 'Camila Prueba 2 · 2 2 · 2 2 · 2')
  expectWords(text, 'Camila Prueba 1 Frenar', 'Concesionaria de prueba 1 · 1 0 1')
  expectWords(text, '198.51.100.9 1 · 1 0 · 0', 'Concesionaria de prueba 0 · 0')
})

const newClient = () => ({
  intent: 'register',
  name: 'Irene',
  phone: '5577000001',
  email: newEmail(),
  consent: 'yes',
  requestKey: randomUUID(),
})
const frenamos = 'Frenamos los cambios de tu cuenta. Llámanos y lo vemos contigo.'

test('a braked customer does not book, move or change the e-mail, but looks and cancels, until it is lifted', async () => {
  const scout = await newPerson()
  await newHome(scout)
  const [first, second] = await slots(scout)
  await bookVisit()
  await onPerson('brake', booker)
  const moved = () =>
    post(`${agenda}?cambiar=${visit.id}`, { startsAt: second!, version: String(visit.version) }, booker)
  expectShown(await moved(), 409, frenamos)
  const email = { intent: 'email', email: newEmail(), currentPassword: password }
  expectShown(await post('/cuenta', email, booker), 409, frenamos)
  await expectScreen('/payments', booker, 'Pagos')
  const gone = { intent: 'cancel', appointmentId: visit.id, version: '1', reason: 'cliente_no_disponible' }
  expectStatus(await post('/technics-visit', gone, booker), 303)
  expectShown(await book(booker, first!), 409, frenamos)
  await expectScreen(desk, manager, 'Quitar freno', 'La gerencia frenó su cuenta: Camila')
  await onPerson('release_brake', booker)
  expectStatus(await book(booker, first!), 303)
  await expectTrail(booker, ['brake', 'release_brake'], 'user')
})

test('a braked ally invites no one; of the staff only allies are braked, and the brake ends after seven days', async () => {
  await onPerson('brake', ally)
  expectShown(await post(registerPath, newClient(), ally), 409, frenamos)
  await runSql`update users set braked_until = now() where id = ${ally.id}`
  expectStatus(await post(registerPath, newClient(), ally), 200)
  expectShown(await onPerson('brake', technician), 409, 'se desactiva su cuenta')
})

test('from a closed network only a known browser signs in, for an hour or until it is opened', async () => {
  const known = await memberOf()
  const place = '203.0.113.5'
  const home = newVisitor(place)
  expectStatus(await signIn(known.email, password, home), 303)
  home.cookies.delete('carga.session_token')
  await onDesk('close_network', place)
  const words = 'Por seguridad cerramos tu red hasta la'
  const unknown = () => newVisitor(place)
  expectShown(await signIn(known.email, password, unknown()), 403, words)
  expectShown((await signUp(newEmail(), unknown())).answer, 403, words)
  expectShown(await post('/recover-password', { intent: 'ask', email: known.email }, unknown()), 403, words)
  const headers = { 'content-type': 'application/json', origin: 'http://carga.test' }
  const body = JSON.stringify({ email: known.email, password })
  const asked = await fixture.send('/v1/session/sign-in', unknown(), { method: 'POST', body, headers })
  expect([asked.status, asked.text]).toEqual([403, expect.stringContaining(words)])
  expectLocation(await signIn(known.email, password, home), '/')
  // A session of one's own proves nothing of another account.
  const { email: another } = await memberOf()
  const forAnother = { method: 'POST', body: JSON.stringify({ email: another, password }), headers }
  expectStatus(await fixture.send('/v1/session/sign-in', { ...known, address: place }, forAnother), 403)
  const email = { intent: 'email', email: newEmail(), currentPassword: password }
  expectStatus(await post('/cuenta', email, { ...known, address: place }), 303)
  await expectScreen(desk, manager, 'Abrir la red', `Cerró una red por una hora: ${place}`)
  fixture.at(later(61))
  expectLocation(await signIn(known.email, password, unknown()), '/')
  fixture.at(later(0))
  await onDesk('open_network', place)
  expectLocation(await signIn(known.email, password, unknown()), '/')
  await expectTrail(manager, ['close_network', 'open_network'], 'user')
})

test('the manager never closes their own network, nor their own sessions', async () => {
  expectShown(await onDesk('close_network', manager.address), 409, 'desde la que estás conectado')
  expectShown(await onPerson('end_sessions', manager), 409, 'la cuenta propia')
  for (const odd of ['<b>', 'abcdef', '203.0.113.999']) expectStatus(await onDesk('close_network', odd), 400)
})

test('refuses to close a network of signed-in staff, and acts that would change nothing', async () => {
  const place = '198.51.100.33'
  await fixture.secondBrowser(technician)
  await runSql`update sessions set ip_address = ${place} where user_id = ${technician.id}`
  expectShown(await onDesk('close_network', place), 409, 'está conectado Tomás Prueba')
  expectShown(await onDesk('open_network', '203.0.113.44'), 409, 'ya está abierta')
  expectShown(await onPerson('release_brake', customer), 409, 'ya no tiene freno')
  const nobody = { id: randomUUID() } as Person
  expectShown(await onPerson('end_sessions', nobody), 409, 'No tiene sesiones abiertas')
})

test('closes the sessions of a technician on the way, and gives them back within ten minutes', async () => {
  await visitAtHome(customer, later(60), { state: 'en_route', assigneeId: technician.id })
  await onPerson('end_sessions', technician)
  expectLocation(await fixture.visit('/admin', technician), '/signin')
  const headers = { 'x-person': technician.id, origin: 'http://carga.test' }
  expectStatus(await fixture.send('/onsite/positions', technician, { method: 'POST', headers }), 401)
  await cleanUp(db, new Date())
  await expectScreen(`/admin/users/${technician.id}`, manager, 'Deshacer')
  await onPerson('restore_sessions', technician)
  expectStatus(await fixture.visit('/admin', technician), 200)
  await expectTrail(technician, ['end_sessions', 'restore_sessions'], 'user')
  await onPerson('end_sessions', technician)
  await runSql`update sessions set expires_at = now() - interval '11 minutes' where user_id = ${technician.id}`
  expectShown(await onPerson('restore_sessions', technician), 409, 'Ya no hay sesiones que devolver')
  await cleanUp(db, new Date())
  expect(await rowsWhere(sessions, { userId: technician.id })).toEqual([])
})
