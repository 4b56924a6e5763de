import {
  isKeptPath,
  isSameAddress,
  isWholePage,
  pageKeyOf,
  patienceFor,
} from '../../src/offline/kept-pages.ts'
import { account, memberOf, password, secretOn, send } from '../accounts/own.ts'
import { hour, storeVisit } from '../kit/appointments.ts'
import { ago, customer, fixture, fromNow, manager, openOnce, technician, technician2 } from '../kit/open.ts'
import { expectAnswered } from '../kit/reading.ts'
import { storeSheet } from './installed.ts'

openOnce()

test('names the session in every response, and none for a visitor', async () => {
  const of = async (path: string, as = fixture.visitor()) =>
    (await fixture.visit(path, as)).headers.get('x-session')
  const first = await of('/admin', technician)
  expect(first).toMatch(/^[\w-]{16}$/)
  for (const path of ['/admin.data', '/onsite/nothing', '/nowhere'])
    expect(await of(path, technician), path).toBe(first)
  expect(await of('/admin', technician2)).not.toBe(first)
  for (const path of ['/signin', '/admin', '/admin.data', '/live']) expect(await of(path), path).toBe('none')
})

test('the service worker may fetch from us alone, and is looked at anew each time', async () => {
  const { status, headers, text } = await fixture.visit('/sw.js')
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache'])
  expect(headers.get('content-security-policy')).toContain("script-src 'self'; connect-src 'self';")
  expect(text).toMatch(/"?\/assets\/root-/)
})

test('marks a response with a toast, and leaves the toast out of one fetched ahead', async () => {
  technician.cookies.set('flash', (await flashCookie()) ?? '')
  const ahead = await fixture.send('/admin', technician, { headers: { 'x-ahead': '1' } })
  expect([ahead.headers.get('x-once'), ahead.text.includes('Cerraste tu sesión')]).toEqual([null, false])
  const seen = await fixture.visit('/admin', technician)
  expect([seen.headers.get('x-once'), seen.text.includes('Cerraste tu sesión')]).toEqual(['1', true])
})

async function flashCookie() {
  const visitor = fixture.visitor()
  await fixture.post('/signout', {}, visitor)
  return visitor.cookies.get('flash')
}

const dayOf = async (as = technician, person = as) => {
  const answer = await fixture.send('/onsite/day', as, { headers: { 'x-person': person.id } })
  return { status: answer.status, body: JSON.parse(answer.text) }
}

test('the day ahead names the pages of a technician, and nobody else’s', async () => {
  expect(await dayOf()).toEqual({
    status: 200,
    body: { pages: ['/admin', '/admin/appointments-pending', '/admin/account'], pictures: [] },
  })
  await expectAnswered(dayOf(technician, technician2), 403)
})

test('an installer has the pictures of the approved visit before the network is gone, and may see each', async () => {
  const home = await fixture.home(customer)
  const visit = await storeVisit(fixture, customer, home, ago(48 * hour), {
    state: 'done',
    outcome: 'completed',
    assigneeId: technician2.id,
  })
  const approved = { state: 'approved', reviewedAt: new Date(), reviewedBy: manager.id } as const
  const pictures = await storeSheet('visit', visit, technician2, approved)
  const installation = await storeVisit(fixture, customer, home, fromNow(hour), {
    service: 'installation',
    state: 'assigned',
    minutes: 240,
    folio: `IN-${visit.folio}`,
    assigneeId: technician.id,
    confirmedAt: new Date(),
  })
  const { body } = await dayOf()
  expect(body.pages).toContain(`/admin/appointments-pending/${installation.id}`)
  const wanted = pictures.flatMap(({ id }) => [`/files/${id}/list`, `/files/${id}/full`])
  expect(body.pictures.toSorted()).toEqual(wanted.toSorted())
  for (const picture of wanted) {
    const { headers, status } = await fixture.visit(picture, technician)
    expect([status, headers.get('x-session')?.length], picture).toEqual([200, 16])
  }
  expect((await dayOf(technician2)).body.pictures).toEqual([])
})

test('keeps a technician’s own whole pages, whatever is chosen on them', () => {
  const id = '0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee'
  for (const path of [
    '/admin',
    '/admin/account',
    '/admin/appointments-pending',
    `/admin/appointments-pending/${id}`,
  ]) {
    expect([isKeptPath(path), isKeptPath(`${path}.data`)], path).toEqual([true, true])
    expect(pageKeyOf(`https://x.mx${path}?seccion=fotos`)).toBe(`https://x.mx${path}`)
  }
  for (const path of [
    '/',
    '/admin/users',
    '/admin/account/configuracion',
    `/admin/appointments-pending/${id}/x`,
    '/admin/appointments-done',
  ])
    expect(isKeptPath(path), path).toBe(false)
  expect(
    ['?seccion=fotos', '', '?_routes=x', '?vista=semana'].map((query) =>
      isWholePage(`https://x.mx/${query}`),
    ),
  ).toEqual([true, true, false, false])
})

test('the account is kept as it is fetched ahead: without the key of a second factor that is being set up', async () => {
  const technician = await memberOf({ kind: 'tecnician' })
  await send(technician, 'second-factor-start', { currentPassword: password })
  const seen = await fixture.visit(account, technician)
  const secret = secretOn(seen.text)
  expect([seen.headers.get('x-once'), secret.length]).toEqual(['1', 48])
  for (const path of [account, `${account}.data`]) {
    const { headers, status, text } = await fixture.send(path, technician, { headers: { 'x-ahead': '1' } })
    expect([status, headers.get('x-once'), text.includes(secret)], path).toEqual([200, null, false])
  }
  expect((await fixture.visit('/admin/account.data', technician)).headers.get('x-once')).toBe('1')
})

test.each([
  { what: 'opened by link or anew', wait: 'kept' },
  { what: 'without a server', isLost: true, wait: 'lost' },
  { what: 'after a form, which may have changed it and brings a toast', isDoubted: true, wait: 'newest' },
  { what: 'after a form, without a server', isDoubted: true, isLost: true, wait: 'kept' },
  { what: 'asked for again by the screen that shows it', isOpen: true, wait: 'newest' },
  { what: 'searched or in part', isWhole: false, wait: 'newest' },
])('a kept page waits for the network $what: $wait', ({ wait, what, ...more }) => {
  const usual = { isWhole: true, isOpen: false, isDoubted: false, isLost: false }
  expect(patienceFor({ ...usual, ...more }), what).toBe(wait)
})

test('a screen asks for itself again only where nothing else was chosen on it', () => {
  const here = 'https://x.mx/admin/appointments-pending?vista=semana&q=a'
  const again = 'https://x.mx/admin/appointments-pending.data'
  expect(isSameAddress(here, `${again}?q=a&vista=semana&_routes=x`)).toBe(true)
  expect([`${again}?q=a`, 'https://x.mx/admin.data'].map((data) => isSameAddress(here, data))).toEqual([
    false,
    false,
  ])
})
