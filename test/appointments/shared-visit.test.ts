import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { isShared, mayBeShared } from '../../src/domain/appointments/rules.ts'
import { addressInput } from '../../src/domain/projects/schema.ts'
import { clearSharedVisits } from '../../src/server/appointments/shared-visit.ts'
import { visitCards } from '../../src/server/platform/database/schema/accounts.ts'
import { appointments, sharedVisits } from '../../src/server/platform/database/schema/appointments.ts'
import { withoutSecret } from '../../src/server/platform/http/request-observer.ts'
import { memberOf, password } from '../accounts/own.ts'
import { hour, minute, storeVisit, type Visit } from '../kit/appointments.ts'
import { openEach, people, realClockAfterEach, world } from '../kit/open.ts'
import { addressForm, type Person } from '../kit/people.ts'
import { expectWords, readable } from '../kit/reading.ts'

/** At ten in the morning of the day after tomorrow, in Mexico City. */
const start = new Date((Math.floor(Date.now() / (24 * hour)) + 2) * 24 * hour + 16 * hour)
const at = (minutes: number) => new Date(start.getTime() + minutes * minute)

describe('the rule', () => {
  const visit = { state: 'assigned', startsAt: start, minutes: 60 } as const
  const day = start.toISOString().slice(0, 10)

  test('a link shows its visit until it is over, of another day, or four hours late', () => {
    const shows = (change: object, now = at(0)) => isShared({ ...visit, day, ...change }, now)
    for (const state of ['requested', 'assigned', 'en_route', 'in_progress', 'paused'])
      expect([state, shows({ state })]).toEqual([state, true])
    for (const state of ['done', 'cancelled', 'no_show'])
      expect([state, shows({ state })]).toEqual([state, false])
    expect(shows({ startsAt: at(24 * 60) })).toBe(false)
    expect([shows({}, at(299)), shows({}, at(300))]).toEqual([true, false])
  })

  test('it may be made once somebody is sure to come home', () => {
    const facts = { ...visit, service: 'technical_visit', confirmed: true } as const
    expect(mayBeShared(facts, at(0))).toBe(true)
    expect(mayBeShared({ ...facts, confirmed: false }, at(0))).toBe(false)
    expect(mayBeShared({ ...facts, service: 'videocall' }, at(0))).toBe(false)
    expect(mayBeShared({ ...facts, state: 'done' }, at(0))).toBe(false)
    expect(mayBeShared(facts, at(300))).toBe(false)
  })
})

openEach()
realClockAfterEach()

const page = '/technics-visit'
let visit: Visit
beforeEach(async () => {
  const { customer, technician } = people
  await world.db.insert(visitCards).values({
    userId: technician.id,
    vehicle: 'Nissan Versa',
    colour: 'Gris',
    plates: 'ABC-12-34',
    photo: Buffer.from('RIFF'),
    photoTag: 'tag',
  })
  visit = await storeVisit(world, customer, await world.home(customer), start, {
    assigneeId: technician.id,
    notes: 'clave 2580',
  })
})

const press = (intent: string, by: Person = people.customer, appointmentId = visit.id, path = page) =>
  world.post(path, { intent, appointmentId }, by)
const link = async (by?: Person, id?: string, path?: string) =>
  /http:\/\/carga\.test(\/visita\/[\w-]{43})</.exec((await press('share-visit', by, id, path)).text)![1]!
/** Whoever got it: without a session, each from an address of their own. */
const open = (path: string) => world.visit(path, world.visitor())
const statusOf = async (path: string) => (await open(path)).status
const set = (change: Partial<Visit>) =>
  world.db.update(appointments).set(change).where(eq(appointments.id, visit.id))

describe('the link', () => {
  test('is shown once, with ways to pass it on; kept is only its hash', async () => {
    expectWords(readable(await world.visit(page, people.customer)), 'Compartir con tu familia')
    const answer = await press('share-visit')
    expect(answer.status).toBe(200)
    const [path] = /\/visita\/[\w-]{43}/.exec(answer.text)!
    expect(answer.text).toContain(`https://wa.me/?text=`)
    expect(answer.text).toContain(encodeURIComponent(`http://carga.test${path}`))
    expectWords(readable(answer), 'No ve tu domicilio', 'Dejar de compartir')
    const later = await world.visit(page, people.customer)
    expect(later.text).not.toContain(path)
    expectWords(readable(later), 'Compartes esta visita con un enlace desde', 'Cambiar enlace')
    const rows = await world.db.select().from(sharedVisits)
    expect([rows.length, JSON.stringify(rows).includes(path.slice(8))]).toEqual([1, false])
    expect(readable(await open(path))).toContain('Nissan Versa')
  })

  test('made again, the one before serves no more; taken back, none does', async () => {
    const first = await link()
    const second = await link()
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
    expect((await press('stop-sharing')).status).toBe(303)
    expect(await statusOf(second)).toBe(404)
    expect((await press('stop-sharing')).status).toBe(303)
    const { rows } = await world.db.execute(
      sql`select name from events where entity_id = ${people.customer.id} order by id`,
    )
    expect(rows.map(({ name }) => name)).toEqual(['share_visit', 'share_visit', 'stop_sharing_visit'])
  })

  test('is its customer’s to make, of a visit to which somebody is sure to come', async () => {
    expect((await press('share-visit', people.customer2)).status).toBe(404)
    expect((await press('stop-sharing', people.customer2)).status).toBe(404)
    expect((await press('share-visit', people.customer, 'x')).status).toBe(400)
    await set({ state: 'requested', confirmedAt: null })
    const early = await press('share-visit')
    expect([early.status, readable(early).includes('Esta cita no se puede compartir ahora')]).toEqual([
      409,
      true,
    ])
    expect(readable(await world.visit(page, people.customer))).not.toContain('Compartir con tu familia')
    await set({ state: 'assigned', confirmedAt: new Date(), service: 'videocall' })
    expect((await press('share-visit', people.customer, visit.id, '/videocall')).status).toBe(409)
    expect(readable(await world.visit('/videocall', people.customer))).not.toContain(
      'Compartir con tu familia',
    )
    expect(await world.db.select().from(sharedVisits)).toEqual([])
  })

  test('of two homes each has its own', async () => {
    const { customer, technician } = people
    const { onward } = await world.post('/address', { intent: 'other-home' }, customer)
    await world.post(onward!, addressForm, customer)
    const projectId = new URL(onward!, 'http://carga.test').searchParams.get('proyecto')!
    const home = { projectId, addressId: '', address: addressInput.parse(addressForm) }
    const second = await storeVisit(world, customer, home, at(180), { assigneeId: technician.id })
    const [one, two] = [
      await link(customer, visit.id, `${page}?proyecto=${visit.projectId}`),
      await link(customer, second.id, `${page}?proyecto=${second.projectId}`),
    ]
    expect([await statusOf(one), await statusOf(two)]).toEqual([200, 200])
    await press('stop-sharing', customer, second.id, `${page}?proyecto=${second.projectId}`)
    expect([await statusOf(one), await statusOf(two)]).toEqual([200, 404])
  })
})

describe('what it shows', () => {
  test('who comes and when; not where, to whom, or by which names and numbers of ours', async () => {
    const { customer, technician } = people
    const path = await link()
    const [shown, sent] = [await open(path), await world.data(path, world.visitor())]
    expectWords(
      readable(shown),
      'Visita técnica',
      'Confirmada',
      'Llegamos entre 10:00 y 10:30 a. m.',
      'Tomás',
      'Nissan Versa, gris',
      'Placas ABC-12-34',
      'Llámanos',
    )
    expect(shown.text).toContain(`src="${path}/foto?tag"`)
    const secrets = [
      customer.id,
      technician.id,
      visit.id,
      visit.folio,
      visit.projectId,
      customer.name!,
      'Prueba',
    ]
    for (const { text } of [shown, sent])
      for (const word of [
        ...secrets,
        'Calle Ejemplo',
        'Villa Coyoacán',
        'Coyoacán',
        '5512345678',
        'clave 2580',
        'prueba.mx',
      ])
        expect([word, text.includes(word)]).toEqual([word, false])
  })

  test('the moving arrival on the way, and what happens then', async () => {
    const path = await link()
    world.at(at(-10))
    await set({ state: 'en_route', setOutAt: at(-20) })
    expectWords(
      readable(await open(path)),
      'En camino',
      'Tomás va en camino.',
      'Es un cálculo y se actualiza solo',
    )
    expect((await open(path)).text).toContain('http-equiv="refresh" content="60"')
    await set({ state: 'in_progress', startedAt: at(0) })
    expectWords(readable(await open(path)), 'En curso', 'Tomás ya está ahí.')
    await set({ state: 'en_route', startedAt: null, nobodyCameAt: at(-1), timeSetAt: at(-60) })
    await set({ setOutAt: at(-20) })
    const missed = readable(await open(path))
    expectWords(missed, 'Nadie llegó', 'Estamos revisando')
    expect(missed).not.toContain('Es un cálculo')
  })

  test('that they come late, by their name, as its customer reads it', async () => {
    const path = await link()
    world.at(at(-10))
    await set({ runningLateMinutes: 30, runningLateAt: at(-10), timeSetAt: at(-60) })
    expect(readable(await open(path))).toMatch(/Tomás va unos 30 minutos tarde: llega cerca de las? \d/)
    await set({ state: 'in_progress', startedAt: at(0) })
    expect(readable(await open(path))).not.toContain('tarde')
  })

  test('nobody, once the person is not sure any more', async () => {
    const path = await link()
    await set({ state: 'requested', confirmedAt: null })
    const text = readable(await open(path))
    expectWords(text, 'Apartada', 'En cuanto sepamos quién llega')
    for (const word of ['Tomás', 'ABC-12-34']) expect(text).not.toContain(word)
    expect(await statusOf(`${path}/foto`)).toBe(404)
  })

  test('the portrait, as long as the visit is shown', async () => {
    const path = await link()
    const { status, headers } = await open(`${path}/foto?tag`)
    expect([status, headers.get('content-type')]).toEqual([200, 'image/webp'])
    await set({ state: 'done' })
    expect(await statusOf(`${path}/foto?tag`)).toBe(404)
  })
})

describe('its end', () => {
  test('with the visit, on another day, or hours later: the same as a link that never was', async () => {
    const path = await link()
    const unknown = await open(`/visita/${'a'.repeat(43)}`)
    expect(unknown.status).toBe(404)
    expectWords(readable(unknown), 'Este enlace ya terminó')
    const isEnded = async () => {
      const { status, text, ...rest } = await open(path)
      expect([status, readable({ status, text, ...rest })]).toEqual([404, readable(unknown)])
      expect((await world.data(path, world.visitor())).text).not.toContain('Tomás')
    }
    const lives = { state: 'assigned', startsAt: start } as const
    for (const change of [
      { state: 'done', outcome: 'completed' },
      { state: 'done', outcome: 'not_possible' },
      { state: 'cancelled', outcome: null },
      { state: 'no_show' },
      { startsAt: at(24 * 60) },
    ] satisfies Partial<Visit>[]) {
      await set(change)
      await isEnded()
      await set(lives)
      expect(await statusOf(path)).toBe(200)
    }
    world.at(at(60 + 239))
    expect(await statusOf(path)).toBe(200)
    world.at(at(60 + 241))
    await isEnded()
  })

  test('with the account, and with its other sessions', async () => {
    const member = await memberOf(world)
    const own = await storeVisit(world, member, await world.home(member), at(180), {
      assigneeId: people.technician.id,
    })
    for (const form of [
      { intent: 'close-others' },
      { intent: 'password', currentPassword: password, newPassword: 'otra-frase-mas-larga' },
    ]) {
      const path = await link(member, own.id)
      expect(await statusOf(path)).toBe(200)
      expect((await world.post('/cuenta', form, member)).status).toBe(303)
      expect([form.intent, await statusOf(path)]).toEqual([form.intent, 404])
    }
    const path = await link()
    await world.db.execute(sql`update users set active = false where id = ${people.customer.id}`)
    expect(await statusOf(path)).toBe(404)
  })

  test('what shows nothing any more is deleted; what does stays', async () => {
    await link()
    await clearSharedVisits(world.db, at(0))
    expect(await world.db.select().from(sharedVisits)).toHaveLength(1)
    await clearSharedVisits(world.db, at(48 * 60))
    expect(await world.db.select().from(sharedVisits)).toEqual([])
    await link()
    await set({ state: 'cancelled' })
    await clearSharedVisits(world.db, at(0))
    expect(await world.db.select().from(sharedVisits)).toEqual([])
  })
})

describe('over the wire', () => {
  test('it is neither kept, found nor told on', async () => {
    const path = await link()
    for (const asked of [path, `${path}.data`, `${path}/foto`]) {
      const { headers } = await open(asked)
      expect([asked, headers.get('referrer-policy'), headers.get('cache-control')]).toEqual([
        asked,
        'no-referrer',
        'private, no-store',
      ])
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect(withoutSecret(asked)).toBe('/visita/…')
    }
    expect(withoutSecret('/technics-visit')).toBe('/technics-visit')
    expect((await open('/sitemap.xml')).text).not.toContain('visita/')
  })

  test('guesses from one address end', async () => {
    const guesser = world.visitor()
    const answers = []
    for (let n = 0; n < 62; n++) answers.push((await world.visit(`/visita/${randomUUID()}`, guesser)).status)
    expect([answers.filter((one) => one === 404).length, answers.at(-1)]).toEqual([60, 429])
  })
})
