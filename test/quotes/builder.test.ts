import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { fieldsOf, lineField, optionField, type TypedQuote } from '../../src/domain/quotes/draft.ts'
import { sheets } from '../../src/server/platform/database/schema/appointments.ts'
import { catalogueItems, quotes } from '../../src/server/platform/database/schema/payments.ts'
import { events, projects } from '../../src/server/platform/database/schema/projects.ts'
import { builderFor, openDraft } from '../../src/server/quotes/drafts.ts'
import { storeVisit } from '../kit/appointments.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'
import { openEach, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectPage, expectWords, readable } from '../kit/reading.ts'
import { writeSheet } from '../kit/reports.ts'

openEach()

const aDay = 24 * 60 * 60 * 1000
const pathOf = (id: string) => `/admin/cotizations/add-quote/${id}`

/** A visit that was made, with its report approved, or as told. */
async function visited(
  changes: Parameters<typeof writeSheet>[2] = {},
  state: 'approved' | 'submitted' = 'approved',
) {
  const { customer, technician } = people
  const home = await world.home(customer)
  const visit = await storeVisit(world, customer, home, new Date(Date.now() - aDay), {
    state: 'done',
    outcome: 'completed',
    assigneeId: technician.id,
    confirmedAt: new Date(),
  })
  await writeSheet(world, { ...visit, state }, { ...completeAnswers.visit, ...changes })
  return { id: visit.id, projectId: home.projectId }
}

/** The form as its page shows it, with the version that goes with it. */
async function shown(id: string, as: Person = people.analyst) {
  const { building } = (await builderFor(world.db, as.actor, id, new Date()))!
  const typed: TypedQuote = building!.typed
  const form: Record<string, string> = fieldsOf(typed)
  return { ...form, version: String(building!.draft?.version ?? 0) } as Record<string, string>
}

const save = (id: string, form: Record<string, string>, as: Person = people.analyst) =>
  world.post(pathOf(id), { intent: 'save-quote', ...form }, as)
const rows = () => world.db.select().from(quotes).orderBy(quotes.createdAt)
const price = lineField(0, 'lines', 1, 'unitPrice')
/** What stands in the boxes of a page, by their names. */
const boxesIn = (text: string) => (name: string) => {
  const [box] = text.match(new RegExp(`<input[^>]* name="${RegExp.escape(name)}"[^>]*>`)) ?? []
  return / value="([^"]*)"/.exec(box ?? '')?.[1]
}

describe('a draft', () => {
  test('begins with what the report asks for, and nothing is kept before it is saved', async () => {
    const { id } = await visited()
    const { status, text } = await world.visit(pathOf(id), people.analyst)
    expect(status).toBe(200)
    for (const words of [
      'Esencial',
      'Recomendada',
      'Completa',
      'Interruptor termomagnético de 2 polos, 40 A',
    ])
      expect(text).toContain(words)
    expect(await rows()).toEqual([])
  })

  test('is saved with its folio, changed under its version, and told in the history', async () => {
    const { id, projectId } = await visited()
    const first = await save(id, await shown(id))
    expect([first.status, first.location]).toEqual([303, pathOf(id)])
    const changed = await save(
      id,
      { ...(await shown(id)), [price]: '40', depositPercent: '30 %' },
      people.manager,
    )
    expect(changed.status).toBe(303)
    const [draft, ...more] = await rows()
    expect(more).toEqual([])
    expect(draft).toMatchObject({ projectId, kind: 'installation', state: 'draft', revision: 1, version: 2 })
    expect(draft).toMatchObject({
      appointmentId: id,
      madeBy: people.analyst.id,
      customerId: people.customer.id,
    })
    expect(draft?.folio).toMatch(/^COT-\d{4}-00001$/)
    expect(draft?.content).toMatchObject({ depositPercent: 30, warrantyMonths: 12 })
    expect(draft?.content.options[0]?.lines[1]).toMatchObject({ quantity: 45_000, unitPrice: 40_0000 })
    const told = await world.db.select().from(events).where(eq(events.entityId, draft!.id)).orderBy(events.id)
    expect(told.map(({ actorId, name }) => [name, actorId])).toEqual([
      ['begin', people.analyst.id],
      ['edit', people.manager.id],
    ])
  })

  test('sent twice is one change; two first ones at once make one, and the other loses nothing', async () => {
    const { id } = await visited()
    const form = await shown(id)
    const [a, b] = await Promise.all([save(id, form), save(id, form)])
    expect([a.status, b.status]).toEqual([303, 303])
    expect(await rows()).toHaveLength(1)
    const late = await save(id, { ...form, [price]: '77.77' }, people.manager)
    expect([late.status, late.text.includes('value="77.77"')]).toEqual([409, true])
    expect(late.text).toContain('Alguien más actualizó este registro.')
    expect(await rows()).toMatchObject([{ version: 1 }])
    expect(late.text).toMatch(/name="version" value="0"/)
  })

  test('keeps its prices when the catalogue changes; a new one has the new', async () => {
    const { id } = await visited()
    await save(id, await shown(id))
    await world.db.update(catalogueItems).set({ unitPrice: 50_0000 }).where(eq(catalogueItems.code, 'CAB-8'))
    expect((await shown(id))[price]).toBe('36.00')
    const told = readable(await world.visit(pathOf(id), people.analyst))
    expectWords(
      told,
      'tiene otro precio en el catálogo',
      'de $36.00 a $50.00 por m',
      'Usar los precios de hoy',
    )
    expect(told).not.toContain('Margen')
    // Where the manager decides about it, they read what it leaves.
    expect(readable(await world.visit(pathOf(id), people.manager))).toContain('Margen')
    const other = await world.person({ name: 'Clara' })
    const home = await world.home(other)
    const visit = await storeVisit(world, other, home, new Date(Date.now() - 2 * aDay), {
      state: 'done',
      outcome: 'completed',
      assigneeId: people.technician.id,
      confirmedAt: new Date(),
    })
    await writeSheet(world, { ...visit, state: 'approved' }, completeAnswers.visit)
    expect((await shown(visit.id))[price]).toBe('50.00')
  })

  test('is thrown away with its row, and its visit can be quoted again', async () => {
    const { id } = await visited()
    await save(id, await shown(id))
    const stale = await world.post(pathOf(id), { intent: 'discard-quote', version: '9' }, people.analyst)
    expect(stale.status).toBe(409)
    const gone = await world.post(pathOf(id), { intent: 'discard-quote', version: '1' }, people.analyst)
    expect([gone.status, gone.location]).toEqual([303, '/admin/cotizations'])
    expect(await rows()).toEqual([])
    expect((await save(id, { ...(await shown(id)), version: '1' })).status).toBe(409)
    expect((await save(id, await shown(id))).status).toBe(303)
  })
})

describe('what is wrong', () => {
  test.each([
    [price, 'mucho', 'Escribe el precio como 1,250.50'],
    [lineField(2, 'lines', 0, 'quantity'), '0', 'Escribe cuánto, de 0.001 a 9,999.999.'],
    [lineField(0, 'addOns', 0, 'description'), ' ', 'Escribe qué es.'],
    [lineField(0, 'lines', 0, 'satProduct'), '123', 'Escribe los 8 dígitos'],
    [optionField(1, 'furtherPrice'), 'x', 'Escribe el precio como 1,250.50'],
    ['depositPercent', '101', 'Escribe un número entero de 0 a 100.'],
    ['validUntil', '2020-01-01', 'Elige un día de mañana en adelante'],
  ])('%s is told where it stands, and stays typed', async (name, typed, message) => {
    const { id } = await visited()
    const answer = await save(id, { ...(await shown(id)), [name]: typed })
    expectPage(answer, 400, message)
    expect(answer.text).toMatch(/<\w+ [^>]*aria-invalid="true"/i)
    // Without scripts the list of what is wrong has the focus, and leads to the field.
    expect(answer.text).toMatch(/role="alert"[^>]*autofocus/i)
    if (typed.trim()) expect(answer.text).toContain(`value="${typed}"`)
    expect(await rows()).toEqual([])
  })

  test('forms that are none of ours change nothing', async () => {
    const { id } = await visited()
    const form = await shown(id)
    for (const odd of [{}, { version: '0' }, { ...form, version: '-1' }, { ...form, intent: 'otra' }]) {
      const answer = await save(id, odd)
      expect([answer.status, answer.text.includes('Vuelve a abrir la página.')]).toEqual([400, true])
    }
    expect(await rows()).toEqual([])
  })
})

describe('without JavaScript', () => {
  test('each edit comes back done, with everything that was typed', async () => {
    const { id } = await visited()
    const form = { ...(await shown(id)), [price]: 'a medio escribir', notes: 'Por si acaso' }
    const press = async (edit: string, more = {}) =>
      (await world.post(pathOf(id), { ...form, ...more, edit }, people.analyst)).text
    const order = (text: string) =>
      [...text.matchAll(/name="options\.0\.lines\.(\d+)\.description"[^>]*value="([^"]*)"/g)].map(
        ([, , what]) => what,
      )
    const before = order(await press('nada'))
    expect(before).toHaveLength(9)
    const up = await press('up.0.lines.1')
    expect(order(up)).toEqual([before[1], before[0], ...before.slice(2)])
    expect(up).toContain('value="a medio escribir"')
    expect(up).toContain('Por si acaso')
    expect(order(await press('duplicate.0.lines.2'))).toEqual(before.toSpliced(3, 0, before[2]))
    expect(order(await press('remove.0.lines.0'))).toEqual(before.slice(1))
    const added = await press('add.0.lines', { [optionField(0, 'add')]: 'PER-CON' })
    expect(order(added)).toEqual([...before, 'Gestión del permiso del condominio'])
    expect(await press('add.0.lines', { [optionField(0, 'add')]: 'discount' })).toContain(
      'Cuánto: 10\u00a0% o $500',
    )
    expect(await press('removeOption.2')).not.toContain('name="options.2.id"')
    expect(await rows()).toEqual([])
  })

  test('a preview shows what the customer will see, and keeps the form', async () => {
    const { id } = await visited()
    const form = await shown(id)
    const { status, text } = await world.post(
      pathOf(id),
      { intent: 'preview-quote', ...form },
      people.analyst,
    )
    expect(status).toBe(200)
    expectWords(text, 'Así la verá el cliente', 'Puedes agregar', `name="${price}"`)
    expect(await rows()).toEqual([])
  })
})

describe('who', () => {
  test('others of the staff read that it is not theirs', async () => {
    const { id } = await visited()
    const { technician, ally, gester } = people
    await world.db.update(projects).set({ agencyId: ally.agencyId })
    const mine = await world.visit(pathOf(id), technician)
    expect([mine.status, mine.text.includes('Solo los analistas y la gerencia')]).toEqual([200, true])
    expect(mine.text).not.toContain('8 AWG')
    expect((await world.visit(pathOf(id), gester)).status).toBe(404)
  })

  test('a discount over 20 % is kept by an analyst and sent by the manager', async () => {
    const { id } = await visited()
    const form = await shown(id)
    const at = Object.keys(form).filter((name) => /^options\.0\.lines\.\d+\.id$/.test(name)).length
    const line = { id: '99', kind: 'discount', description: 'Promoción', discount: '20.01 %' }
    const off = Object.entries(line).map(([field, typed]) => [lineField(0, 'lines', at, field), typed])
    const dear = { ...form, ...Object.fromEntries(off) }
    const refused = await world.post(pathOf(id), { intent: 'send-quote', ...dear }, people.analyst)
    expect([refused.status, refused.text.includes('Solo la gerencia')]).toEqual([409, true])
    expect(await rows()).toMatchObject([{ state: 'draft', version: 1 }])
    const sent = await world.post(pathOf(id), { intent: 'send-quote', ...dear, version: '1' }, people.manager)
    const [quote] = await rows()
    expect([sent.status, sent.location]).toEqual([303, `/admin/cotizations/detail-quote/${quote?.id}`])
    expect(quote).toMatchObject({ state: 'sent', discountShare: 20_01 })
  })
})

describe('the metres of a draft', () => {
  const metres = optionField(0, 'metres')
  const quantity = (at: number) => lineField(0, 'lines', at, 'quantity')

  test('recount its lines by a press, which keeps all that was typed', async () => {
    const { id } = await visited()
    const form = { ...(await shown(id)), [metres]: '20', notes: 'Va por el jardín.', edit: 'metres.0' }
    const { status, text } = await world.post(pathOf(id), form, people.analyst)
    expect(status).toBe(200)
    const value = boxesIn(text)
    expect([value(quantity(1)), value(quantity(2)), value(metres)]).toEqual(['40', '20', '20'])
    expect(text).toContain('Va por el jardín.')
    expect(await rows()).toEqual([])
  })

  test('that its lines do not have are said before it is sent, and sent by a second press', async () => {
    const { id } = await visited()
    const form = { intent: 'send-quote', ...(await shown(id)), [metres]: '20' }
    const first = await world.post(pathOf(id), form, people.manager)
    expect([first.status, first.text.includes('Los metros no coinciden')]).toEqual([409, true])
    expect(first.text).toContain('Enviar así')
    expect(await rows()).toMatchObject([{ state: 'draft' }])
    const value = boxesIn(first.text)
    // A sign of other figures confirms nothing.
    const again = { ...form, version: '1' }
    const other = await world.post(pathOf(id), { ...again, meant: 'essential 150' }, people.manager)
    expect(other.status).toBe(409)
    const sure = await world.post(pathOf(id), { ...again, meant: value('meant') ?? '' }, people.manager)
    expect(sure.status).toBe(303)
    expect(await rows()).toMatchObject([{ state: 'sent' }])
  })
})

test('a new version says which prices are others today, and takes them by one press', async () => {
  const { id } = await visited()
  await world.post(pathOf(id), { intent: 'send-quote', ...(await shown(id)) }, people.analyst)
  const said = 'tiene otro precio en el catálogo'
  expect((await world.visit(pathOf(id), people.analyst)).text).not.toContain(said)
  await world.db.update(catalogueItems).set({ unitPrice: 50_0000 }).where(eq(catalogueItems.code, 'CAB-8'))
  const page = await world.visit(pathOf(id), people.analyst)
  expectWords(readable(page), said, 'Cable de cobre THW calibre 8 AWG: de $36.00 a $50.00 por m')
  const taken = await world.post(pathOf(id), { ...(await shown(id)), edit: 'prices' }, people.analyst)
  expect([taken.status, taken.text.includes(said)]).toEqual([200, false])
  expect(boxesIn(taken.text)(price)).toBe('50.00')
})

test('sent twice, it is sent once', async () => {
  const { id } = await visited()
  const form = { intent: 'send-quote', ...(await shown(id)) }
  const answers = await Promise.all([1, 2].map(() => world.post(pathOf(id), form, people.analyst)))
  const late = await world.post(pathOf(id), form, people.analyst)
  const [quote, ...more] = await rows()
  expect(more).toEqual([])
  expect(quote).toMatchObject({ state: 'sent', revision: 1 })
  for (const { location } of [...answers, late])
    expect(location).toBe(`/admin/cotizations/detail-quote/${quote!.id}`)
  // What is written anew is another version, which does not take the open one's place unsaid.
  const other = await world.post(pathOf(id), { ...form, [price]: '35' }, people.analyst)
  expect([other.status, other.text.includes('Si esta la sustituye, envía otra vez.')]).toEqual([409, true])
  expect(await rows()).toMatchObject([{ state: 'sent' }, { state: 'draft', revision: 2 }])
  expect(readable(other)).toContain('Enviar y sustituir la versión 1')
  const replaces = boxesIn(other.text)('replaces')
  expect(replaces).toBe(quote!.id)
  const said = { ...form, [price]: '35', version: '1', replaces: replaces! }
  const both = await Promise.all([1, 2].map(() => world.post(pathOf(id), said, people.analyst)))
  for (const { status } of both) expect(status).toBe(303)
  expect(await rows()).toMatchObject([{ state: 'superseded' }, { state: 'sent', revision: 2 }])
})

describe('when', () => {
  test.each([
    ['a report that nobody approved', {}, 'submitted', 'Primero hay que aprobar el reporte'],
    ['one that says no', { feasibility: 'not_viable' }, 'approved', 'no es viable'],
  ] as const)('%s leads to words and to no quote', async (_, changes, state, words) => {
    const { id } = await visited()
    const form = await shown(id)
    await world.db.update(sheets).set({ state }).where(eq(sheets.appointmentId, id))
    if ('feasibility' in changes) {
      await world.db.delete(sheets).where(eq(sheets.appointmentId, id))
      await world.db.execute(`delete from sheet_answers where name = 'feasibility'`)
      await writeSheet(
        world,
        { id, assigneeId: people.technician.id, service: 'technical_visit', state },
        changes,
      )
    }
    const page = await world.visit(pathOf(id), people.analyst)
    expect([page.status, page.text.includes(words)]).toEqual([200, true])
    expect((await save(id, form)).status).toBe(409)
    expect(await rows()).toEqual([])
  })

  test('extra work is quoted while its installation is under way: one option, no deposit', async () => {
    const { customer, technician } = people
    const start = new Date(Date.now() - 60_000)
    const visit = await storeVisit(world, customer, await world.home(customer), start, {
      service: 'installation',
      state: 'in_progress',
      assigneeId: technician.id,
      confirmedAt: start,
    })
    const form = await shown(visit.id)
    expect(form).toMatchObject({ depositPercent: '0', 'options.0.id': 'essential' })
    const line = {
      id: '1',
      kind: 'labor',
      description: 'Mover una jardinera',
      unit: 'servicio',
      quantity: '1',
      unitPrice: '500',
      iva: '16',
      satProduct: '72151500',
      satUnit: 'E48',
    }
    const typed = Object.entries(line).map(([field, text]) => [lineField(0, 'lines', 0, field), text])
    const filled = { ...form, ...Object.fromEntries(typed), depositPercent: '40' }
    const { status } = await world.post(pathOf(visit.id), { intent: 'send-quote', ...filled }, people.analyst)
    expect(status).toBe(303)
    expect(await rows()).toMatchObject([
      { kind: 'extra_work', state: 'sent', highestTotal: 580_00, content: { depositPercent: 0 } },
    ])
  })

  test('the next version begins with what the one before says, under the same folio', async () => {
    const { id } = await visited()
    await world.post(
      pathOf(id),
      { intent: 'send-quote', ...(await shown(id)), [price]: '41' },
      people.analyst,
    )
    const [first] = await rows()
    const draft = await openDraft(world.db, people.manager.actor, first!.id, new Date())
    expect(draft).toMatchObject({ folio: first!.folio, revision: 2, replacesId: first!.id, state: 'draft' })
    expect(await openDraft(world.db, people.analyst.actor, first!.id, new Date())).toMatchObject({
      id: draft.id,
    })
    expect((await shown(id))[price]).toBe('41.00')
    const { text } = await world.visit(pathOf(id), people.analyst)
    expect(text).toContain('todavía puede aceptar la versión')
    const open = and(eq(quotes.state, 'draft'), eq(quotes.folio, first!.folio))
    expect(await world.db.select().from(quotes).where(open)).toHaveLength(1)
  })
})
