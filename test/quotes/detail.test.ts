import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { acceptQuote } from '../../src/server/quotes/accept.ts'
import { askChanges } from '../../src/server/quotes/answers.ts'
import { sheetFor } from '../../src/server/reports/queries.ts'
import { hour, storeVisit, type Visit } from '../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { content, line, option, type Quote, quoteOf, storeSent } from '../kit/quotes.ts'
import { expectWords, readable } from '../kit/reading.ts'

openEach()
sendJobs()

let sent: Quote
let page: string
beforeEach(async () => {
  const { analyst: maker, customer, technician } = people
  const lines = [
    line('cable', { description: 'Cable 8 AWG', unit: 'm', quantity: 22_500, unitPrice: 123_4500 }),
    { id: 'rebaja', kind: 'discount' as const, description: 'Rebaja', amount: 77_77, percent: null },
  ]
  const offered = content({
    options: [
      option('essential', { lines, metres: { included: 225, furtherPrice: 300_0000 } }),
      option('complete'),
    ],
  })
  sent = await storeSent(world, { customer, technician, maker }, { content: offered })
  page = `/admin/cotizations/detail-quote/${sent.id}`
  await world.db.execute(sql`update projects set agency_id = ${people.ally.agencyId}`)
})

const reads = async (who: Person, part = '') => {
  const [shown, data] = [await world.visit(page + part, who), await world.data(page + part, who)]
  return { status: shown.status, words: readable(shown), everything: shown.text + JSON.stringify(data.value) }
}
const accept = () =>
  acceptQuote(
    world.db,
    people.customer.actor,
    sent.id,
    {
      version: sent.version,
      digest: sent.digest!,
      option: 'essential',
      addOns: ['funda'],
      name: 'Camila Firma',
      ip: '10.0.0.9',
    },
    new Date(),
  )
/** Whatever tells what something costs. */
const amounts = /\$\s?\d|unitPrice|1234500|7777|Total/

describe('who writes quotes', () => {
  test('sends it by WhatsApp in their own words, with its link, while it can be answered', async () => {
    const text = `Hola, Camila. Tu cotización ${sent.folio} de `
    const { everything } = await reads(people.analyst)
    const link = /https:\/\/wa\.me\/525512345678\?text=([^"]+)"/.exec(everything)?.[1] ?? ''
    expect(decodeURIComponent(link)).toMatch(new RegExp(`^${text}.+ está lista: https?://.+/quote$`))
    await accept()
    expect((await reads(people.analyst)).everything).not.toContain('wa.me/525512345678')
  })

  test('reads all of it: for whom, what it says and comes to, its history and its paper', async () => {
    for (const who of [people.analyst, people.manager]) {
      const { words, everything } = await reads(who)
      for (const said of [
        sent.folio,
        'Enviada',
        'Versión 1',
        'Camila Prueba',
        'Calle Ejemplo 12',
        'Andrés Prueba',

        'Cable 8 AWG',
        '22.5 m',
        'Esencial',
        'Completa',
        'Todavía no',
        'Retirar la cotización',
      ])
        expect(words).toContain(said)
      expect(everything).toContain(`/papers/quote/${sent.id}.pdf`)
      expect(words).not.toContain('Cancelar la cotización')
      expect((await reads(who, '?parte=historial')).words).toContain('Se envió')
    }
  })

  test.each([
    ['', 'Acciones', 'contenido'],
    ['?parte=nada', 'Acciones', 'contenido'],
    ['?parte=cuenta', 'Cobros', 'cuenta'],
    ['?parte=fiscal', 'Datos fiscales', 'fiscal'],
    ['?parte=historial', 'Historial', 'historial'],
  ])('reads it part by part, each by a link: %s', async (part, said, current) => {
    const { text } = await world.visit(page + part, people.analyst)
    expect(text).toContain(said)
    const other = current === 'historial' ? 'cuenta' : 'historial'
    expect(text).toContain(`href="${page}?parte=${other}"`)
    const now = current === 'contenido' ? page : `${page}?parte=${current}`
    expect(text).toMatch(
      new RegExp(
        `aria-current="page"[^>]*href="${RegExp.escape(now)}"|href="${RegExp.escape(now)}"[^>]*aria-current="page"`,
      ),
    )
  })

  test('what the house earns is the manager’s alone, and never leaves for others', async () => {
    await world.db.execute(sql`update catalogue_items set unit_cost = 3333333 where code = 'CAB-8'`)
    await world.db.execute(sql`update catalogue_items set description = 'Cable 8 AWG' where code = 'CAB-8'`)
    const manager = await reads(people.manager)
    // 22.5 m at $333.33 each cost more than they are sold for.
    expectWords(manager.words, 'Margen', '$7,500.00 de costo', 'Sin costo en el catálogo')
    const { analyst, ally, customer, gester, technician } = people
    for (const who of [analyst, ally, gester, technician])
      expect((await reads(who)).everything).not.toMatch(/Margen|margins":\[|7,500\.00|3333333|750000/)
    for (const path of ['/quote', `/papers/quote/${sent.id}.pdf`])
      expect((await world.visit(path, customer)).text).not.toMatch(/Margen|7,500\.00|3333333/)
  })

  test('reads what was agreed, and who signed; nobody reads from where', async () => {
    await accept()
    const { words, everything } = await reads(people.manager)
    for (const said of ['Aceptada', 'Camila Firma', 'Funda', 'Cancelar la cotización', sent.digest!])
      expect(words).toContain(said)
    expect(everything).not.toContain('10.0.0.9')
    expect((await reads(people.analyst)).words).not.toContain('Cancelar la cotización')
  })

  test('withdraws it from its screen; a form that comes too late is told', async () => {
    const form = { intent: 'withdraw-quote', version: String(sent.version), reason: 'Cambió el precio' }
    const done = await world.post(page, form, people.analyst)
    expect([done.status, done.location]).toEqual([303, page])
    expect(await quoteOf(world, sent)).toMatchObject({ state: 'withdrawn', reason: 'Cambió el precio' })
    const late = await world.post(page, { ...form, reason: 'Otra cosa' }, people.manager)
    expect([late.status, readable(late).includes('Retiramos esta cotización.')]).toEqual([409, true])
  })

  test('cancels what was accepted, the manager, with a reason; what was typed stays', async () => {
    await accept()
    const form = { intent: 'cancel-quote', version: String(sent.version + 1), reason: '' }
    const bare = await world.post(page, form, people.manager)
    expect([bare.status, bare.text.includes('Escribe por qué se cancela.')]).toEqual([400, true])
    const stale = await world.post(page, { ...form, version: '9', reason: 'Se muda' }, people.manager)
    expect([stale.status, stale.text.includes('Se muda')]).toEqual([409, true])
    expect((await world.post(page, { ...form, reason: 'Se muda' }, people.analyst)).status).toBe(403)
    expect((await world.post(page, { ...form, reason: 'Se muda' }, people.manager)).status).toBe(303)
    expect(await quoteOf(world, sent)).toMatchObject({ state: 'cancelled', reason: 'Se muda' })
  })
})

describe('the next version', () => {
  const revise = (who: Person) => world.post(page, { intent: 'revise-quote' }, who)
  const drafts = () => world.db.execute(sql`select * from quotes where state = 'draft'`)

  test('is begun from what this one says, once, and goes on from either screen', async () => {
    for (const who of [people.analyst, people.manager]) {
      const begun = await revise(who)
      const to = `/admin/cotizations/add-quote/${sent.appointmentId}`
      expect([begun.status, begun.location]).toEqual([303, to])
    }
    const { rows } = await drafts()
    expect(rows).toMatchObject([{ folio: sent.folio, revision: 2, replaces_id: sent.id }])
    expect(rows[0]!.content).toMatchObject({ options: sent.content.options })
    expect((await reads(people.analyst)).words).toContain('Seguir con el borrador')
    expect((await revise(people.technician)).status).toBe(403)
  })
})

describe('without any amount', () => {
  test('its technician reads whose it is, how it stands and what is to be done', async () => {
    const { words, everything } = await reads(people.technician)
    for (const said of [
      sent.folio,
      'Enviada',
      'Camila Prueba',
      'Opción Esencial',
      'Opción Completa',
      '22.5 m',
    ])
      expect(words).toContain(said)
    expect(everything).not.toMatch(amounts)
    expect(words).not.toContain('Rebaja')
    await accept()
    const agreed = await reads(people.technician)
    expectWords(agreed.words, 'Lo que se acordó', 'Funda')
    expect(agreed.words).not.toContain('Opción')
    expect(agreed.everything).not.toMatch(amounts)
  })

  test('an ally of its agency reads a first name, how it stands and when', async () => {
    const { words, everything } = await reads(people.ally)
    expect(everything).not.toContain(sent.folio)
    for (const said of ['Enviada', 'Camila']) expect(words).toContain(said)
    expect(everything).not.toMatch(/Camila Prueba|Cable|\$\s?\d|unitPrice/)
  })

  test('for everybody else, and before it was sent, it does not exist', async () => {
    const { gester, technician2 } = people
    const other = await world.person({ kind: 'alliate' })
    for (const who of [gester, technician2, other]) {
      expect((await reads(who)).status).toBe(404)
      expect((await world.post(page, { intent: 'withdraw-quote', version: '2' }, who)).status).toBe(404)
    }
    expect(
      (await world.post(page, { intent: 'withdraw-quote', version: '2' }, people.technician)).status,
    ).toBe(403)
    await world.db.execute(sql`alter table quotes disable trigger quotes_frozen`)
    await world.db.execute(sql`update quotes set state = 'draft', sent_at = null`)
    for (const who of [people.technician, people.ally]) expect((await reads(who)).status).toBe(404)
    expect((await reads(people.analyst)).words).toContain('Seguir editando')
  })
})

describe('who installs', () => {
  const installation = (): Promise<Visit> =>
    storeVisit(
      world,
      people.customer,
      { projectId: sent.projectId, addressId: '', address: sent.address } as never,
      new Date(Date.now() + 24 * hour),
      { service: 'installation', assigneeId: people.technician2.id },
    )

  test('reads what was agreed, without its prices, and nothing of what was not', async () => {
    const { id } = await installation()
    expect((await sheetFor(world.db, people.technician2.actor, id))?.scope).toBeNull()
    await accept()
    expect((await sheetFor(world.db, people.technician2.actor, id))?.scope).toEqual({
      lines: [
        { description: 'Cable 8 AWG', quantity: 22.5, unit: 'm' },
        { description: 'Funda', quantity: 1, unit: 'pieza' },
      ],
    })
    const shown = await world.visit(`/admin/appointments-pending/${id}`, people.technician2)
    expect(readable(shown)).toContain('Lo que se acordó Cable 8 AWG 22.5 m Funda 1 pieza')
    expect(shown.text).not.toMatch(/unitPrice|1234500/)
    expect((await reads(people.technician2)).status).toBe(200)
  })
})

describe('the way to a quote', () => {
  const done = () => `/admin/appointments-done/${sent.appointmentId}`
  const add = () => `/admin/cotizations/add-quote/${sent.appointmentId}`

  test('leads from the approved report, to what there is or to a new one, for those who write quotes', async () => {
    for (const who of [people.analyst, people.manager]) {
      const shown = await world.visit(done(), who)
      expect(shown.text).toContain(`href="${page}"`)
      expect(shown.text).not.toContain(add())
    }
    await world.db.execute(sql`delete from quotes`)
    expect((await world.visit(done(), people.analyst)).text).toContain(add())
    await world.db.execute(sql`update sheets set state = 'submitted'`)
    expect((await world.visit(done(), people.analyst)).text).not.toContain(add())
    expect((await world.visit(done(), people.technician)).text).not.toContain('cotizations')
  })

  test('leads from a task to what it is about', async () => {
    const wish = { version: sent.version, reason: 'Sin el tablero.' }
    await askChanges(world.db, people.customer.actor, sent.id, wish, new Date())
    const home = await world.visit('/admin', people.analyst)
    expect(readable(home)).toContain(`Pidió cambios a su cotización (${sent.folio}, versión 1)`)
    expect(home.text).toContain(`href="${page}"`)
  })
})
