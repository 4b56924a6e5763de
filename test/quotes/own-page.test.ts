import { sql } from 'drizzle-orm'
import type { QuoteEmailJob } from '../../src/platform/jobs/emails.ts'
import { acceptQuote } from '../../src/quotes/accept.ts'
import { askAnew, rejectQuote } from '../../src/quotes/answers.ts'
import { withdrawQuote } from '../../src/quotes/detail.ts'
import { emailsOf } from '../kit/delivered.ts'
import {
  analyst,
  customer,
  customer2,
  db,
  expectNotOnPage,
  expectScreen,
  expectTrail,
  fixture,
  manager,
  markupOf,
  openEach,
  runSql,
  sendJobs,
} from '../kit/open.ts'
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
  wishOf,
} from '../kit/quotes.ts'
import {
  boxIn,
  expectAnswered,
  expectLeadsTo,
  expectPage,
  expectWords,
  sentTogether,
} from '../kit/reading.ts'

openEach(sendOne)
sendJobs()

type Form = Record<string, string>
const path = '/quote'
const stateOf = async (quote: Quote) => (await quoteOf(quote)).state
const read = async (at = path) =>
  (await markupOf(at, customer)).replaceAll('<!-- -->', '').replaceAll('\u00a0', ' ')
const press = (form: Form, by = customer) =>
  fixture.post(path, { quoteId: sent.id, version: String(sent.version), ...form }, by)
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
  for (const one of headers) await expectAnswered(fixture.send(path, customer, { headers: one }), 200)
  await expectAnswered(fixture.data(path, customer), 200)
  await expectAnswered(fixture.send(path, customer, { method: 'HEAD' }), 200)
  await fixture.visit(path, customer2)
  expect(await stateOf(sent)).toBe('sent')
  await read()
  await read()
  await expectTrail(sent, ['send', 'view'], 'quote')
})

test('a quote is viewed by the page that a link led to', async () => {
  await expectAnswered(press({ intent: 'note-viewed' }), 200)
  expect(await stateOf(sent)).toBe('viewed')
})

test('the page states what each option costs and includes, and until when', async () => {
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

test('the page states what changed since the version before, which can still be read, and why it was withdrawn', async () => {
  const why = (of: Quote, reason: string) => ({ version: of.version, reason })
  await rejectQuote(db, customer.actor, sent.id, why(sent, 'El precio'), new Date())
  expect(await read()).toContain('La rechazaste')
  const lines = [line('cable', { unitPrice: 900_0000 }), line('luz')]
  const offered = content({ options: [option('essential', { lines, addOns: [] })], depositPercent: 30 })
  const draft = await storeNext(sent, analyst, { content: offered })
  const next = await sendDraft(fixture, analyst, draft)
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
  await withdrawQuote(db, analyst.actor, next.id, why(next, 'Subió el cobre.'), new Date())
  expect(await read()).toContain('“Subió el cobre”.')
})

test('the page states that it expired, and one press requests another', async () => {
  fixture.at(new Date(sent.validUntil!.getTime() + 1000))
  expect(await read()).toContain('Ya venció')
  await expectLeadsTo(press({ intent: 'ask-anew' }), path)
  expect(await read()).toContain('Ya nos pediste otra')
  expect(await stateOf(sent)).toBe('expired')
})

test('its customer accepts one option with their name, reads what was accepted, and cancels it', async () => {
  expectPage(
    await press(accepting({ option: '', name: ' ', conditions: '' })),
    400,
    'Elige una opción.',
    'Escribe tu nombre completo, como firmas.',
    'Marca que leíste',
  )
  const alone = await press(accepting({ name: 'Cecilia' }))
  expectPage(alone, 400, 'Escribe tu nombre completo, como firmas.', 'value="Cecilia"')
  await expectAnswered(press(accepting()), 303, path)
  const { version, ...accepted } = await quoteOf(sent)
  expect(accepted).toMatchObject({
    state: 'accepted',
    acceptedOption: 'essential',
    acceptedAddOns: [],
    acceptedTotal: 1160_00,
    acceptedName: 'Camila Prueba',
    acceptedIp: customer.address,
  })
  expectWords(await read(), 'La aceptaste', 'Aceptaste la opción Esencial', 'como Camila Prueba', '/payments')
  await expectLeadsTo(press({ intent: 'cancel-quote', version: String(version), reason: 'Me mudo.' }), path)
  expect(await read()).toContain('Se canceló')
  expect(await stateOf(sent)).toBe('cancelled')
})

test('its customer has the recommended option picked, and without scripts a last step at its own address', async () => {
  const page = await read()
  const radio = (id: string) => boxIn({ text: page }, 'option', id)
  expect(radio('recommended')).toContain('checked=""')
  expect(radio('essential')).not.toContain('checked')
  expect(page).not.toContain('Tu nombre completo')
  const addOn = { option: 'recommended', 'add-recommended-funda': 'on' }
  const step = `${path}?${new URLSearchParams({ cotizacion: sent.id, ...addOn, paso: 'revisar' })}`
  const text = await read(step)
  expectWords(text, 'Opción Recomendada', 'Funda', '$2,900.00', 'Tu nombre completo', 'Cambiar mi elección')
  expect(boxIn({ text }, 'seenTotal')).toContain('290000')
  await expectLeadsTo(press(accepting({ ...addOn, seenTotal: '290000' })), path)
  expect(await quoteOf(sent)).toMatchObject({ acceptedTotal: 2900_00, acceptedAddOns: ['funda'] })
})

test('its customer never accepts a total that was not on the screen', async () => {
  // An add-on of the option that was not chosen counts for nothing.
  const form = accepting({ 'add-essential-funda': 'on', 'add-recommended-funda': 'on' })
  const asked = await press(form)
  expectPage(asked, 409, 'tu total es $1,740.00 con IVA y tu anticipo $870.00')
  expect(boxIn(asked, 'seenTotal')).toContain('174000')
  expect(await stateOf(sent)).not.toBe('accepted')
  await expectLeadsTo(press({ ...form, seenTotal: '174000' }), path)
  expect(await quoteOf(sent)).toMatchObject({ acceptedAddOns: ['funda'], acceptedTotal: 1740_00 })
})

test('its customer requests changes in words, or rejects it with a reason', async () => {
  expectPage(await press({ intent: 'reject-quote', reason: 'other' }), 400, 'Cuenta por qué')
  await expectAnswered(press({ intent: 'ask-changes' }), 400)
  await press({ intent: 'ask-changes', changes: 'Quiero el cargador\nen la cochera de atrás.' })
  expect(await read()).toContain('Estamos preparando otra versión')
  expect(await stateOf(sent)).toBe('changes_requested')
  expectPage(await press({ intent: 'reject-quote', reason: 'price' }), 409, 'Ya se pidieron cambios')
})

test('changes that its customer requests lead the office to the next version, over which their words stand', async () => {
  const build = `/admin/cotizations/add-quote/${sent.appointmentId}`
  const words = '«Sin tubo.»'
  await press({ intent: 'ask-changes', changes: 'Sin tubo.' })
  const desk = [words, 'Pidió cambios', 'Hacer versión 2', `href="${build}"`]
  await expectScreen('/admin', analyst, ...desk)
  for (const page of [build, `/admin/cotizations/detail-quote/${sent.id}`])
    await expectScreen(page, analyst, 'El cliente pidió cambios a la versión 1', words)
  await sendDraft(fixture, analyst, await storeNext(sent, analyst))
  await expectNotOnPage('/admin', analyst, ...desk)
})

test('extra work is shown and accepted beside the accepted quote', async () => {
  await press(accepting())
  const installation = await installationOf(sent, new Date(), { state: 'in_progress', minutes: 240 })
  const offered = content({ options: [option('essential', { addOns: [] })], depositPercent: 0 })
  const input = { kind: 'extra_work' as const, content: offered }
  const draft = await storeDraft(fixture, installation, analyst, input)
  const extra = await sendDraft(fixture, analyst, draft)
  const text = await read()
  expectWords(text, 'Trabajo adicional', extra.folio, 'no se hace ni se cobra', 'La aceptaste', sent.folio)
  expect(text).not.toContain('Al aceptar queda pendiente tu anticipo')
  const { digest, id: quoteId, version } = extra
  await expectLeadsTo(press(accepting({ quoteId, version: String(version), digest: digest! })), path)
  expect(await read()).toContain('Aceptaste $1,160.00 con IVA')
})

const expectHome = (...words: string[]) => expectScreen('/', customer, ...words)

test('a draft changes nothing there; an expired quote does, even before a job stored it as expired', async () => {
  await storeNext(sent, analyst)
  await expectHome('Tu cotización está lista')
  fixture.at(new Date(sent.validUntil!.getTime() + 60_000))
  await expectHome('Tu cotización venció.')
  await askAnew(db, customer.actor, sent.id, new Date())
  await expectHome('Estamos preparando otra cotización')
})

const delivered = (letter: QuoteEmailJob['letter'], to: QuoteEmailJob['to']) =>
  emailsOf(db, { letter, quoteId: sent.id, to } as QuoteEmailJob)
const put = (set: string) => db.execute(sql.raw(`update quotes set ${set}`))

test('the emails to the customer state amounts, reasons and what to do', async () => {
  const expectEmail = async (letter: QuoteEmailJob['letter'], ...words: string[]) =>
    expectWords((await delivered(letter, 'customer'))[0]!.text, ...words)
  await expectEmail('quote_sent', 'De $1,160.00 a $2,320.00', '/quote')
  await put(`state = 'expired', ended_at = valid_until`)
  await expectEmail('quote_expired', 'pide otra con un toque')
  await put(`state = 'withdrawn', reason = 'Subió el cobre'`)
  await expectEmail('quote_withdrawn', 'Subió el cobre')
  await put(`state = 'sent', ended_at = null`)
  const input = wishOf(sent, { option: 'essential' })
  await acceptQuote(db, customer.actor, sent.id, input, new Date())
  const how = ['Aceptaste tu cotización: así pagas tu anticipo', 'Pagar: https://carga.example/payments']
  await expectEmail('quote_accepted', ...how, 'Total: $1,160.00', 'Anticipo: $580.00', 'a más tardar')
  expect(await sentTogether(fixture)).toEqual([])
  await put(`state = 'cancelled', reason = 'Se muda'`)
  await expectEmail('quote_cancelled', 'Motivo: Se muda', 'reembolso')
  await put(`state = 'lapsed'`)
  await expectEmail('quote_lapsed', 'Anticipo: $580.00')
})

test('the emails to the author state the answer, and go to the managers once the author is inactive', async () => {
  for (const [letter, set, ...words] of [
    [
      'quote_rejected',
      `state = 'rejected', reason = 'El precio'`,
      'Motivo: El precio',
      'Cliente: Camila Prueba',
    ],
    [
      'quote_renewal_asked',
      `state = 'expired', ended_at = valid_until, answered_at = valid_until + interval '1 day'`,
      'Haz una versión nueva',
    ],
  ] as const) {
    await put(set)
    const [email] = await delivered(letter, 'maker')
    expectWords(email!.text, ...words, `/admin/cotizations/detail-quote/${sent.id}`)
  }
  await runSql`update users set active = false where id = ${analyst.id}`
  const readers = (await delivered('quote_renewal_asked', 'maker')).map(({ to }) => to)
  expect(readers).toEqual([manager.email])
})

test('an unverified mailbox receives no amount', async () => {
  await runSql`update users set email_verified = false where id = ${customer.id}`
  const [email] = await delivered('quote_sent', 'customer')
  expect(email!.text).not.toMatch(/\$|Camila/)
})
