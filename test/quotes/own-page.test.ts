import { describe, expect, test } from 'vitest'
import { rejectQuote } from '../../src/server/quotes/answers.ts'
import { withdrawQuote } from '../../src/server/quotes/detail.ts'
import { expectTrail, openEach, people, sendJobs, world } from '../kit/open.ts'
import {
  content,
  installationOf,
  line,
  option,
  type Quote,
  quoteOf,
  sendDraft,
  sendOne,
  sent,
  storeDraft,
  storeNext,
} from '../kit/quotes.ts'
import { expectAnswered, expectLeadsTo, expectPage, expectWords } from '../kit/reading.ts'

openEach(sendOne)
sendJobs()

type Form = Record<string, string>
const path = '/quote'
const stateOf = async (quote: Quote) => (await quoteOf(world, quote)).state
const read = async (at = path) =>
  (await world.visit(at, people.customer)).text.replaceAll('<!-- -->', '').replaceAll('\u00a0', ' ')
const press = (form: Form, by = people.customer) =>
  world.post(path, { quoteId: sent.id, version: String(sent.version), ...form }, by)
const accepting = (changes: Form = {}): Form => ({
  intent: 'accept-quote',
  digest: sent.digest!,
  option: 'essential',
  name: 'Camila Prueba',
  conditions: 'on',
  seenTotal: '',
  ...changes,
})

test('a quote is viewed when its customer opens its page, and not by what prefetches it or reads its data', async () => {
  const headers = [
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
  ]
  for (const one of headers) await expectAnswered(world.send(path, people.customer, { headers: one }), 200)
  await expectAnswered(world.data(path, people.customer), 200)
  await expectAnswered(world.send(path, people.customer, { method: 'HEAD' }), 200)
  await world.visit(path, people.customer2)
  expect(await stateOf(sent)).toBe('sent')
  await read()
  await read()
  await expectTrail(sent, ['send', 'view'], 'quote')
})

test('a quote is viewed by the page that a link led to', async () => {
  await expectAnswered(press({ intent: 'note-viewed' }), 200)
  expect(await stateOf(sent)).toBe('viewed')
})

describe('the page states', () => {
  test('what each option costs and includes, and until when', async () => {
    expectWords(
      await read(),
      sent.folio,
      'Tu cotización está lista',
      'Vence el',
      'Te quedan 1',
      'Compara las opciones',
      'Esencial',
      '$1,160.00',
      'Con IVA · Anticipo $580.00',
      'Recomendada',
      '$2,320.00',
      '+ $580.00',
      'Incluye 10 m de recorrido, del tablero al cargador. Cada metro adicional cuesta $348.00 con IVA.',
      '+ Partida tubo',
      '12 meses sobre la instalación',
      'Obra civil.',
      'Lo de siempre.',
      `/papers/quote/${sent.id}.pdf`,
    )
  })

  test('what changed since the version before, which can still be read', async () => {
    const wish = { version: sent.version, reason: 'El precio' }
    await rejectQuote(world.db, people.customer.actor, sent.id, wish, new Date())
    expect(await read()).toContain('La rechazaste')
    const lines = [line('cable', { unitPrice: 900_0000 }), line('luz')]
    const options = [option('essential', { lines, addOns: [] })]
    const draft = await storeNext(world, sent, people.analyst, {
      content: content({ options, depositPercent: 30 }),
    })
    const next = await sendDraft(world, people.analyst, draft)
    expectWords(
      await read(),
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
      `/papers/quote/${sent.id}.pdf`,
      `/papers/quote/${next.id}.pdf`,
    )
  })

  test('that it expired, and one press requests another', async () => {
    world.at(new Date(sent.validUntil!.getTime() + 1000))
    expect(await read()).toContain('Ya venció')
    await expectLeadsTo(press({ intent: 'ask-anew' }), path)
    expect(await read()).toContain('Ya nos pediste otra')
    expect(await stateOf(sent)).toBe('expired')
  })

  test('why it was withdrawn', async () => {
    const wish = { version: sent.version, reason: 'Subió el cobre.' }
    await withdrawQuote(world.db, people.analyst.actor, sent.id, wish, new Date())
    expect(await read()).toContain('“Subió el cobre”.')
  })
})

describe('its customer', () => {
  test('accepts one option with their name, reads what was accepted, and cancels it', async () => {
    expectPage(
      await press(accepting({ option: '', name: ' ', conditions: '' })),
      400,
      'Elige una opción.',
      'Escribe tu nombre completo, como firmas.',
      'Marca que leíste',
    )
    const alone = await press(accepting({ name: 'Cecilia' }))
    expectPage(alone, 400, 'Escribe tu nombre completo, como firmas.')
    expect(alone.text).toMatch(/<input[^>]*name="name"[^>]*value="Cecilia"/)
    await expectAnswered(press(accepting()), 303, path)
    const { version, ...accepted } = await quoteOf(world, sent)
    expect(accepted).toMatchObject({
      state: 'accepted',
      acceptedOption: 'essential',
      acceptedAddOns: [],
      acceptedTotal: 1160_00,
      acceptedName: 'Camila Prueba',
      acceptedIp: people.customer.address,
    })
    expectWords(
      await read(),
      'La aceptaste',
      'Aceptaste la opción Esencial',
      'como Camila Prueba',
      '$1,160.00 con IVA',
      '/payments',
    )
    await expectLeadsTo(press({ intent: 'cancel-quote', version: String(version), reason: 'Me mudo.' }), path)
    expect(await read()).toContain('Se canceló')
    expect(await stateOf(sent)).toBe('cancelled')
  })

  test('has the recommended option picked, and without scripts a last step at its own address', async () => {
    const page = await read()
    const radio = (id: string) =>
      new RegExp(`<input(?=[^>]*value="${id}")(?=[^>]*type="radio")[^>]*>`).exec(page)?.[0]
    expect(radio('recommended')).toContain('checked=""')
    expect(radio('essential')).not.toContain('checked')
    expect(page).not.toContain('Tu nombre completo')
    const addOn = { option: 'recommended', 'add-recommended-funda': 'on' }
    const step = `${path}?${new URLSearchParams({ cotizacion: sent.id, ...addOn, paso: 'revisar' })}`
    const text = await read(step)
    expectWords(text, 'Opción Recomendada', 'Funda', '$2,900.00', 'Tu nombre completo', 'Cambiar mi elección')
    expect(text).toMatch(/<input[^>]*name="seenTotal"[^>]*value="290000"/)
    await expectLeadsTo(press(accepting({ ...addOn, seenTotal: '290000' })), path)
    expect(await quoteOf(world, sent)).toMatchObject({ acceptedTotal: 2900_00, acceptedAddOns: ['funda'] })
  })

  test('never accepts a total that was not on the screen', async () => {
    // An add-on of the option that was not chosen counts for nothing.
    const form = accepting({ 'add-essential-funda': 'on', 'add-recommended-funda': 'on' })
    const asked = await press(form)
    expectPage(asked, 409, 'tu total es $1,740.00 con IVA y tu anticipo $870.00')
    expect(asked.text).toMatch(/<input[^>]*name="seenTotal"[^>]*value="174000"/)
    expect(await stateOf(sent)).not.toBe('accepted')
    await expectLeadsTo(press({ ...form, seenTotal: '174000' }), path)
    expect(await quoteOf(world, sent)).toMatchObject({ acceptedAddOns: ['funda'], acceptedTotal: 1740_00 })
  })

  test('requests changes in words, or rejects it with a reason', async () => {
    expectPage(await press({ intent: 'reject-quote', reason: 'other' }), 400, 'Cuenta por qué')
    await expectAnswered(press({ intent: 'ask-changes' }), 400)
    await press({ intent: 'ask-changes', changes: 'Quiero el cargador\nen la cochera de atrás.' })
    expect(await read()).toContain('Estamos preparando otra versión')
    expect(await stateOf(sent)).toBe('changes_requested')
    expectPage(await press({ intent: 'reject-quote', reason: 'price' }), 409, 'Ya se pidieron cambios')
  })
})

test('extra work is shown and accepted beside the accepted quote', async () => {
  await press(accepting())
  const installation = await installationOf(sent, new Date(), { state: 'in_progress', minutes: 240 })
  const offered = content({ options: [option('essential', { addOns: [] })], depositPercent: 0 })
  const wish = { kind: 'extra_work' as const, content: offered }
  const draft = await storeDraft(world, installation, people.analyst, wish)
  const extra = await sendDraft(world, people.analyst, draft)
  const text = await read()
  expectWords(text, 'Trabajo adicional', extra.folio, 'no se hace ni se cobra', 'La aceptaste', sent.folio)
  expect(text).not.toContain('Al aceptar queda pendiente tu anticipo')
  const { digest, id: quoteId, version } = extra
  const form = accepting({ quoteId, version: String(version), digest: digest! })
  await expectLeadsTo(press(form), path)
  expect([await stateOf(extra), await stateOf(sent)]).toEqual(['accepted', 'accepted'])
  expect(await read()).toContain('Aceptaste $1,160.00 con IVA')
})
