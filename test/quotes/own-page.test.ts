import { beforeEach, describe, expect, test } from 'vitest'
import { totalsOfOption } from '../../src/domain/quotes/totals.ts'
import { addresses } from '../../src/server/platform/database/schema/projects.ts'
import { rejectQuote } from '../../src/server/quotes/answers.ts'
import { withdrawQuote } from '../../src/server/quotes/detail.ts'
import { sendQuote } from '../../src/server/quotes/send.ts'
import { storeVisit } from '../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import type { Home, Person } from '../kit/people.ts'
import {
  content,
  line,
  option,
  type Quote,
  quoteOf,
  storeDraft,
  storeNext,
  storeSent,
} from '../kit/quotes.ts'
import { expectPage, rowsIn, trailOf } from '../kit/reading.ts'

openEach()
sendJobs()

const path = '/quote'
let customer: Person
let quote: Quote
beforeEach(async () => {
  ;({ customer } = people)
  quote = await storeSent(world, { customer, technician: people.technician, maker: people.analyst })
})

const stateOf = async (one: Quote) => (await quoteOf(world, one)).state
const said = async (who: Person = customer) =>
  (await world.visit(path, who)).text.replaceAll('<!-- -->', '').replaceAll('\u00a0', ' ')
const prefetching = async (header: Record<string, string>) => world.send(path, customer, { headers: header })

const accepting = (changes: Record<string, string> = {}) => ({
  intent: 'accept-quote',
  quoteId: quote.id,
  version: String(quote.version),
  digest: quote.digest!,
  option: 'essential',
  name: 'Camila Prueba',
  conditions: 'on',
  seenTotal: '',
  ...changes,
})

describe('that a quote was seen is noted', () => {
  test('when its customer opens the page, and not by what fetches ahead or reads data only', async () => {
    for (const header of [
      { 'sec-purpose': 'prefetch' },
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
    ])
      expect((await prefetching(header)).status).toBe(200)
    expect((await world.data(path, customer)).status).toBe(200)
    expect((await world.send(path, customer, { method: 'HEAD' })).status).toBe(200)
    await world.visit(path, people.customer2)
    expect(await stateOf(quote)).toBe('sent')
    await world.visit(path, customer)
    await world.visit(path, customer)
    expect(await stateOf(quote)).toBe('viewed')
    expect(await trailOf(world, quote, 'quote')).toEqual(['send', 'view'])
  })

  test('by the page that a link led to', async () => {
    const form = { intent: 'note-viewed', quoteId: quote.id }
    expect((await world.post(path, form, people.customer2)).status).toBe(404)
    expect((await world.post(path, form, customer)).status).toBe(200)
    expect(await stateOf(quote)).toBe('viewed')
  })
})

describe('the page says', () => {
  test('what each option costs, what it includes, and until when', async () => {
    const text = await said()
    for (const words of [
      quote.folio,
      'Tu cotización está lista',
      'Vence el',
      'Te quedan 1',
      'Esencial',
      '$1,160.00',
      'Con IVA · Anticipo $580.00',
      'Recomendada',
      '$2,320.00',
      '+ Partida tubo',
      'Compara las opciones',
      'Incluye 10 m de recorrido, del tablero al cargador. Cada metro adicional cuesta $348.00 con IVA.',
      'Partida cable',
      '+ $580.00',
      '12 meses sobre la instalación',
      'Obra civil.',
      'Lo de siempre.',
      `/papers/quote/${quote.id}.pdf`,
    ])
      expect(text).toContain(words)
  })

  test('what changed since the version before, which can still be read', async () => {
    await rejectQuote(
      world.db,
      customer.actor,
      quote.id,
      { version: quote.version, reason: 'El precio' },
      new Date(),
    )
    expect(await said()).toContain('La rechazaste')
    const cheaper = option('essential', {
      lines: [line('cable', { unitPrice: 900_0000 }), line('luz')],
      addOns: [],
    })
    const draft = await storeNext(world, quote, people.analyst, {
      content: content({ options: [cheaper], depositPercent: 30 }),
    })
    const next = await sendQuote(world.db, people.analyst.actor, draft.id, draft.version, new Date())
    const text = await said()
    for (const words of [
      'versión 2',
      'Qué cambió desde la versión 1',
      'de $1,160.00 a $2,204.00 con IVA',
      '1 pieza, $1,160.00 con IVA → 1 pieza, $1,044.00 con IVA',
      'Agregamos',
      'Quitamos',
      'Funda',
      'ya no está: era $2,320.00',
      'Anticipo: 50 % → 30 %',
      'Versiones anteriores',
      `/papers/quote/${quote.id}.pdf`,
      `/papers/quote/${next.id}.pdf`,
    ])
      expect(text).toContain(words)
  })

  test('that nothing was offered yet, whose turn it is, and nothing of anybody else’s', async () => {
    const text = await said(people.customer2)
    expect(text).toContain('Sigue: dinos dónde instalamos')
    expect(text).not.toContain(quote.folio)
  })

  test('that it was withdrawn, or is over, and one tap asks for another', async () => {
    world.at(new Date(quote.validUntil!.getTime() + 1000))
    expect(await said()).toContain('Ya venció')
    const asked = await world.post(path, { intent: 'ask-anew', quoteId: quote.id }, customer)
    expect(asked.location).toBe(path)
    expect(await said()).toContain('Ya nos pediste otra')
    expect(await stateOf(quote)).toBe('expired')
  })

  test('why it was withdrawn', async () => {
    const wish = { version: quote.version, reason: 'Subió el cobre.' }
    await withdrawQuote(world.db, people.analyst.actor, quote.id, wish, new Date())
    expect(await said()).toContain('“Subió el cobre”.')
  })
})

describe('its customer', () => {
  test('accepts one option by name, and reads what was agreed', async () => {
    const wrong = await world.post(path, accepting({ option: '', name: ' ', conditions: '' }), customer)
    expect(wrong.status).toBe(400)
    for (const words of ['Elige una opción.', 'Escribe tu nombre completo, como firmas.', 'Marca que leíste'])
      expect(wrong.text).toContain(words)
    const alone = await world.post(path, accepting({ name: 'Cecilia' }), customer)
    expectPage(alone, 400, 'Escribe tu nombre completo, como firmas.')
    expect(alone.text).toMatch(/<input[^>]*name="name"[^>]*value="Cecilia"/)
    const answer = await world.post(path, accepting(), customer)
    expect([answer.status, answer.location]).toEqual([303, path])
    expect(await quoteOf(world, quote)).toMatchObject({
      state: 'accepted',
      acceptedOption: 'essential',
      acceptedAddOns: [],
      acceptedTotal: 1160_00,
      depositAmount: 580_00,
      acceptedName: 'Camila Prueba',
      acceptedIp: customer.address,
    })
    const text = await said()
    for (const words of [
      'La aceptaste',
      'Aceptaste la opción Esencial',
      'como Camila Prueba',
      '$1,160.00 con IVA',
      '/payments',
    ])
      expect(text).toContain(words)
  })

  test('has the recommended option picked, and without scripts a last step at an address of its own', async () => {
    const page = await world.visit(path, customer)
    const radio = (id: string) =>
      new RegExp(`<input(?=[^>]*value="${id}")(?=[^>]*type="radio")[^>]*>`).exec(page.text)?.[0]
    expect(radio('recommended')).toContain('checked=""')
    expect(radio('essential')).not.toContain('checked')
    expect(page.text).not.toContain('Tu nombre completo')
    const query = new URLSearchParams({
      cotizacion: quote.id,
      option: 'recommended',
      'add-recommended-funda': 'on',
      paso: 'revisar',
    })
    const step = await world.visit(`${path}?${query}`, customer)
    const text = step.text.replaceAll('<!-- -->', '')
    for (const words of [
      'Opción Recomendada',
      'Funda',
      '$2,900.00',
      'Tu nombre completo',
      'Cambiar mi elección',
    ])
      expect(text).toContain(words)
    expect(text).toMatch(/<input[^>]*name="seenTotal"[^>]*value="290000"/)
    const sent = accepting({ option: 'recommended', 'add-recommended-funda': 'on', seenTotal: '290000' })
    expect((await world.post(`${path}?${query}`, sent, customer)).location).toBe(path)
    expect(await quoteOf(world, quote)).toMatchObject({ acceptedTotal: 2900_00, acceptedAddOns: ['funda'] })
  })

  test('never accepts a total that was not on the screen', async () => {
    const { total } = totalsOfOption(quote.content.options[0]!, ['funda'])
    // An add-on of the option that was not chosen counts for nothing.
    const form = accepting({ 'add-essential-funda': 'on', 'add-recommended-funda': 'on' })
    const asked = await world.post(path, form, customer)
    expectPage(asked, 409, 'tu total es $1,740.00 con IVA y tu anticipo $870.00')
    expect(asked.text).toMatch(/<input[^>]*name="seenTotal"[^>]*value="174000"/)
    expect(await stateOf(quote)).not.toBe('accepted')
    const { location } = await world.post(path, { ...form, seenTotal: String(total) }, customer)
    expect(location).toBe(path)
    expect(await quoteOf(world, quote)).toMatchObject({ acceptedAddOns: ['funda'], acceptedTotal: total })
  })

  test('rejects it with a reason, and asks for changes in words', async () => {
    const common = { quoteId: quote.id, version: String(quote.version) }
    const bare = await world.post(path, { ...common, intent: 'reject-quote', reason: 'other' }, customer)
    expect(bare.text).toContain('Cuenta por qué')
    expect((await world.post(path, { ...common, intent: 'ask-changes' }, customer)).status).toBe(400)
    const changes = 'Quiero el cargador\nen la cochera de atrás.'
    await world.post(path, { ...common, intent: 'ask-changes', changes }, customer)
    expect(await said()).toContain('Estamos preparando otra versión')
    expect(await stateOf(quote)).toBe('changes_requested')
    const late = await world.post(path, { ...common, intent: 'reject-quote', reason: 'price' }, customer)
    expect([late.status, late.text.includes('Ya se pidieron cambios')]).toEqual([409, true])
  })

  test('calls off what was accepted, before the installation begins', async () => {
    await world.post(path, accepting(), customer)
    const { version } = await quoteOf(world, quote)
    const form = { intent: 'cancel-quote', quoteId: quote.id, version: String(version), reason: 'Me mudo.' }
    expect((await world.post(path, form, people.customer2)).status).toBe(404)
    expect((await world.post(path, form, customer)).location).toBe(path)
    expect(await said()).toContain('Se canceló')
    expect(await stateOf(quote)).toBe('cancelled')
  })
})

test('extra work stands by itself, and is accepted beside what was agreed', async () => {
  await world.post(path, accepting(), customer)
  const [address] = await rowsIn(world, addresses, { projectId: quote.projectId })
  const home = { projectId: quote.projectId, addressId: address!.id, address } as unknown as Home
  const installation = await storeVisit(world, customer, home, new Date(), {
    service: 'installation',
    state: 'in_progress',
    assigneeId: people.technician.id,
    minutes: 240,
  })
  const offered = content({ options: [option('essential', { addOns: [] })], depositPercent: 0 })
  const draft = await storeDraft(world, installation, people.analyst, {
    kind: 'extra_work',
    content: offered,
  })
  const extra = await sendQuote(world.db, people.analyst.actor, draft.id, draft.version, new Date())
  const text = await said()
  for (const words of [
    'Trabajo adicional',
    extra.folio,
    'no se hace ni se cobra',
    'La aceptaste',
    quote.folio,
  ])
    expect(text).toContain(words)
  expect(text).not.toContain('Al aceptar queda pendiente tu anticipo')
  const { digest, id, version } = extra
  const form = accepting({ quoteId: id, version: String(version), digest: digest! })
  expect((await world.post(path, form, customer)).location).toBe(path)
  expect([await stateOf(extra), await stateOf(quote)]).toEqual(['accepted', 'accepted'])
  expect(await said()).toContain('Aceptaste $1,160.00 con IVA')
})
