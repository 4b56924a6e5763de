import { acceptQuote } from '../../src/quotes/accept.ts'
import { sheetFor } from '../../src/reports/queries.ts'
import {
  ally,
  analyst,
  customer,
  db,
  expectScreen,
  fixture,
  gester,
  manager,
  markupOf,
  openEach,
  post,
  runSql,
  sendJobs,
  technician,
  technician2,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { content, installationOf, line, option, quoteOf, sendOne, sent, wishOf } from '../kit/quotes.ts'
import { expectAnswered, expectPage, expectShown, expectWords, readable } from '../kit/reading.ts'

let page: string
openEach(async () => {
  const lines = [
    line('cable', { description: 'Cable 8 AWG', unit: 'm', quantity: 22_500, unitPrice: 123_4500 }),
    { id: 'rebaja', kind: 'discount' as const, description: 'Rebaja', amount: 77_77, percent: null },
  ]
  const options = [option('essential', { lines, metres: null }), option('complete')]
  await sendOne({ content: content({ options }) })
  page = `/admin/cotizations/detail-quote/${sent.id}`
  await runSql`update projects set agency_id = ${ally.agencyId}`
})
sendJobs()

const reads = async (who: Person) => {
  const shown = await fixture.visit(page, who)
  const { text } = await fixture.data(page, who)
  return { words: readable(shown), everything: shown.text + text }
}
const accept = () => {
  const input = wishOf(sent, { option: 'essential', addOns: ['funda'], name: 'Camila Firma', ip: '10.0.0.9' })
  return acceptQuote(db, customer.actor, sent.id, input, new Date())
}
/** Whatever states what something costs. */
const amounts = /\$\s?\d|unitPrice|1234500|7777|Total/

test('the office sends it by WhatsApp with its link while it can be answered', async () => {
  const { everything } = await reads(analyst)
  const link = /https:\/\/wa\.me\/525512345678\?text=([^"]+)"/.exec(everything)?.[1] ?? ''
  const text = `^Hola, Camila. Tu cotización ${sent.folio} de .+ está lista: https?://.+/quote$`
  expect(decodeURIComponent(link)).toMatch(new RegExp(text))
  await accept()
  expect((await reads(analyst)).everything).not.toContain('wa.me/525512345678')
})

test('the office reads its customer, content and paper, and each part by a link', async () => {
  for (const who of [analyst, manager]) {
    const { words, everything } = await reads(who)
    expectWords(
      words,
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
    )
    expect(everything).toContain(`/papers/quote/${sent.id}.pdf`)
  }
  for (const [part, words, current] of [
    ['?parte=nada', 'Acciones', page],
    ['?parte=cuenta', 'Cobros', `${page}?parte=cuenta`],
    ['?parte=historial', 'Se envió', `${page}?parte=historial`],
  ] as const) {
    const text = await markupOf(page + part, analyst)
    expectWords(text, words, `href="${page}?parte=fiscal"`)
    const chosen = text.match(/<a [^>]*aria-current="page"[^>]*>/g)!.find((link) => link.includes(page))
    expect(chosen).toContain(`href="${current}"`)
  }
})

test('the office reads its margin as the manager only', async () => {
  await runSql`update catalogue_items set unit_cost = 3333333, description = 'Cable 8 AWG' where code = 'CAB-8'`
  // 22.5 m at $333.33 each cost more than they are sold for.
  await expectScreen(page, manager, '$7,500.00 de costo', 'Margen sin calcular', 'Poner costos')
  for (const who of [analyst, ally, gester, technician])
    expect((await reads(who)).everything).not.toMatch(/Margen|margins":\[|7,500\.00|3333333|750000/)
  for (const path of ['/quote', `/papers/quote/${sent.id}.pdf`])
    expect(await markupOf(path, customer)).not.toMatch(/Margen|7,500\.00|3333333/)
})

test('the office reads what was accepted and who signed, but not the address of the signer', async () => {
  await accept()
  const { words, everything } = await reads(manager)
  expectWords(words, 'Aceptada', 'Camila Firma', 'Funda', 'Cancelar la cotización', sent.digest!)
  expectWords(words, 'Falta $', 'Registrar pago')
  expect(everything).not.toContain('10.0.0.9')
  const { words: read } = await reads(analyst)
  expectWords(read, 'Falta $', 'Ver sus cobros')
  for (const only of ['Cancelar la cotización', 'Registrar pago']) expect(read).not.toContain(only)
})

test('the office cancels an accepted one as the manager, with a reason', async () => {
  await accept()
  const form = { intent: 'cancel-quote', version: String(sent.version + 1), reason: '' }
  expectPage(await post(page, form, manager), 400, 'Escribe por qué se cancela.')
  await expectAnswered(post(page, { ...form, reason: 'Se muda' }, manager), 303)
  expect(await quoteOf(sent)).toMatchObject({ state: 'cancelled', reason: 'Se muda' })
})

test('the office begins the next version once, with the content of this one', async () => {
  for (const who of [analyst, manager]) {
    const begun = post(page, { intent: 'revise-quote' }, who)
    await expectAnswered(begun, 303, `/admin/cotizations/add-quote/${sent.appointmentId}`)
  }
  const { rows } = await runSql`select * from quotes where state = 'draft'`
  const content = expect.objectContaining({ options: sent.content.options })
  expect(rows).toMatchObject([{ folio: sent.folio, revision: 2, replaces_id: sent.id, content }])
  await expectScreen(page, analyst, 'Seguir con el borrador')
})

test('the technician of the visit reads customer, state and work of a quote, but no amounts', async () => {
  const { words, everything } = await reads(technician)
  expectWords(words, sent.folio, 'Enviada', 'Camila Prueba', 'Opción Esencial', 'Opción Completa', '22.5 m')
  expect(everything).not.toMatch(amounts)
  expect(words).not.toContain('Rebaja')
  await accept()
  const agreed = await reads(technician)
  expectWords(agreed.words, 'Lo que se acordó', 'Funda')
  expect(agreed.words).not.toContain('Opción')
  expect(agreed.everything).not.toMatch(amounts)
})

test('an ally of the agency reads a first name and the state of a quote, but no amounts', async () => {
  const { words, everything } = await reads(ally)
  expectWords(words, 'Enviada', 'Camila')
  expect(everything).not.toMatch(/COT-PRUEBA|Camila Prueba|Cable|\$\s?\d|unitPrice/)
})

test('neither the technician nor the ally finds a draft', async () => {
  await runSql`alter table quotes disable trigger quotes_frozen`
  await runSql`update quotes set state = 'draft', sent_at = null`
  for (const who of [technician, ally]) await expectAnswered(fixture.data(page, who), 404)
  await expectScreen(page, analyst, 'Seguir editando')
})

test('the installer reads what was accepted without amounts, and nothing before', async () => {
  const { id } = await installationOf(sent, undefined, { assigneeId: technician2.id })
  expect((await sheetFor(db, technician2.actor, id))?.scope).toBeNull()
  await accept()
  const shown = await fixture.visit(`/admin/appointments-pending/${id}`, technician2)
  expectShown(shown, 200, 'Lo que se acordó Cable 8 AWG 22.5 m Funda 1 pieza')
  expect(shown.text).not.toMatch(/unitPrice|1234500/)
  await expectAnswered(fixture.data(page, technician2), 200)
})

test('the approved report links to its quote, or to a new one where there is none', async () => {
  const done = async (who = analyst) => await markupOf(`/admin/appointments-done/${sent.appointmentId}`, who)
  const add = `/admin/cotizations/add-quote/${sent.appointmentId}`
  const text = await done()
  expect(text).toContain(`href="${page}"`)
  expect(text).not.toContain(add)
  await runSql`delete from quotes`
  expect(await done()).toContain(add)
  await runSql`update sheets set state = 'submitted'`
  expect(await done()).not.toContain(add)
  expect(await done(technician)).not.toContain('cotizations')
})
