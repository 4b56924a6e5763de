import { describe, expect, test } from 'vitest'
import {
  type AppointmentState,
  appointmentStates,
  isActive,
  type Outcome,
  outcomes,
  type Service,
  services,
  stateToCustomer,
} from '../../src/domain/appointments/appointment.ts'
import {
  type BookedFacts,
  bookedSentence,
  homeWords,
  preparations,
  sentenceAbove,
} from '../../src/domain/projects/customer-home.ts'
import {
  askedLine,
  noProject,
  type ProjectFacts,
  projectStatusOf,
} from '../../src/domain/projects/project.ts'

/** In Mexico City, six hours behind. */
const local = (text: string) => new Date(`${text}:00-06:00`)
const now = local('2026-11-23T18:00')
const start = local('2026-11-24T09:00')
const reading = { now, window: 30 }
const long = local('2026-11-20T12:00')

const booked = (changes: Partial<BookedFacts> = {}): BookedFacts => ({
  service: 'technical_visit',
  state: 'assigned',
  startsAt: start,
  assignee: 'Teresa Ruiz Mora',
  missed: null,
  arrival: null,
  ...changes,
})

type Row = [Service, AppointmentState, Outcome | null, word: string, sentence: string, to: string]

const visit = 'technical_visit'
const mornings = 'Mañana, entre 9:00 y 9:30,'
const again = 'Sigue: agenda tu visita técnica.'
const anew = 'Sigue: agenda tu instalación.'

/** What a customer reads of every state of every service, and where their one action leads. */
const table: Row[] = [
  [visit, 'requested', null, 'Apartada', `${mornings} te visitamos.`, '/technics-visit'],
  [visit, 'assigned', null, 'Confirmada', `${mornings} te visita Teresa.`, '/technics-visit'],
  [visit, 'en_route', null, 'En camino', 'Teresa va en camino.', '/technics-visit'],
  [visit, 'in_progress', null, 'En curso', 'Teresa está haciendo tu visita.', '/technics-visit'],
  [visit, 'paused', null, 'En pausa', 'Teresa hizo una pausa y continúa en un momento.', '/technics-visit'],
  [visit, 'done', 'completed', 'Realizada', 'Estamos preparando tu cotización.', '/technics-visit'],
  [visit, 'done', 'partial', 'Quedó incompleta', again, '/agenda-technics-visit'],
  [visit, 'done', 'not_possible', 'No fue posible', again, '/agenda-technics-visit'],
  [visit, 'cancelled', null, 'Cancelada', again, '/agenda-technics-visit'],
  [visit, 'no_show', null, 'No te encontramos', again, '/agenda-technics-visit'],
  ['installation', 'requested', null, 'Apartada', `${mornings} instalamos tu cargador.`, '/installation'],
  [
    'installation',
    'assigned',
    null,
    'Confirmada',
    `${mornings} Teresa instala tu cargador.`,
    '/installation',
  ],
  ['installation', 'en_route', null, 'En camino', 'Teresa va en camino.', '/installation'],
  ['installation', 'in_progress', null, 'En curso', 'Teresa está instalando tu cargador.', '/installation'],
  [
    'installation',
    'paused',
    null,
    'En pausa',
    'Teresa hizo una pausa y continúa en un momento.',
    '/installation',
  ],
  [
    'installation',
    'done',
    'completed',
    'Realizada',
    'Tu cargador está listo desde el 20 de noviembre.',
    '/installation',
  ],
  ['installation', 'done', 'partial', 'Quedó incompleta', anew, '/agenda-installation'],
  ['installation', 'done', 'not_possible', 'No fue posible', anew, '/agenda-installation'],
  ['installation', 'cancelled', null, 'Cancelada', anew, '/agenda-installation'],
  ['installation', 'no_show', null, 'No te encontramos', anew, '/agenda-installation'],
  ['videocall', 'requested', null, 'Apartada', 'Mañana, a las 9:00, es tu asesoría por video.', '/videocall'],
  [
    'videocall',
    'assigned',
    null,
    'Confirmada',
    'Mañana, a las 9:00, Teresa te espera por video.',
    '/videocall',
  ],
  ['videocall', 'in_progress', null, 'En curso', 'Teresa ya está contigo en la llamada.', '/videocall'],
  ['videocall', 'paused', null, 'En pausa', 'Teresa hizo una pausa y continúa en un momento.', '/videocall'],
  ['videocall', 'done', 'completed', 'Realizada', again, '/agenda-technics-visit'],
  ['videocall', 'done', 'partial', 'Quedó incompleta', again, '/agenda-technics-visit'],
  ['videocall', 'done', 'not_possible', 'No fue posible', again, '/agenda-technics-visit'],
  ['videocall', 'cancelled', null, 'Cancelada', again, '/agenda-technics-visit'],
  ['videocall', 'no_show', null, 'No te encontramos', again, '/agenda-technics-visit'],
]

/** A served home, on the way to the service in question. */
const factsAt = (service: Service): ProjectFacts => ({
  ...noProject,
  area: 'served',
  since: long,
  ...(service === 'installation' && { quoteAcceptedAt: long, depositPaidAt: long }),
})

describe('a customer’s home', () => {
  test('has a row for each state of each service, and for each way one that took place ended', () => {
    const all = services
      .flatMap(
        (service) =>
          appointmentStates.flatMap((state) =>
            (state === 'done' ? outcomes : [null]).map((outcome) => `${service} ${state} ${outcome}`),
          ),
        // Nobody sets out for a call.
      )
      .filter((row) => row !== 'videocall en_route null')
    expect(table.map(([service, state, outcome]) => `${service} ${state} ${outcome}`)).toEqual(
      expect.arrayContaining(all),
    )
    expect(table).toHaveLength(all.length)
  })

  test.each(table)('%s %s %s is «%s»: «%s», then %s', (service, state, outcome, word, sentence, to) => {
    expect(stateToCustomer({ state, outcome }).label).toBe(word)
    const part = { service, state, outcome, since: long }
    const status = projectStatusOf({ ...factsAt(service), appointments: [part] })
    const active = isActive(state)
      ? [booked({ service, state, ...(state === 'requested' && { assignee: null }) })]
      : []
    const words = homeWords({ status, booked: active, asked: null, isCallOpen: false }, reading)
    expect(words).toMatchObject({ sentence, next: { to } })
    expect(words.next.label).not.toBe('')
  })

  test.each<[ProjectFacts['area'], sentence: string, to: string]>([
    ['none', 'Sigue: dinos dónde instalamos tu cargador.', '/address'],
    ['served', again, '/agenda-technics-visit'],
    ['to_verify', 'Revisamos tu domicilio y te llamamos para confirmar si llegamos.', '/address'],
    ['outside', 'Todavía no llegamos a tu zona.', '/address'],
  ])('of a home whose area is %s says «%s»', (area, sentence, to) => {
    const status = projectStatusOf({ ...noProject, area, since: long })
    expect(homeWords({ status, booked: [], asked: null, isCallOpen: false }, reading)).toMatchObject({
      sentence,
      next: { to },
    })
  })

  test('tells of what is theirs to do before what is booked, and of the soonest of several', () => {
    const call = booked({
      service: 'videocall',
      startsAt: local('2026-11-24T08:00'),
      assignee: 'Andrés Luna',
    })
    const of = (facts: ProjectFacts, all: BookedFacts[]) =>
      homeWords({ status: projectStatusOf(facts), booked: all, asked: null, isCallOpen: false }, reading)
    const accepted = { ...factsAt('technical_visit'), quoteAcceptedAt: long }
    expect(of(accepted, [call]).next.to).toBe('/payments')
    const visited = { service: visit, state: 'done', outcome: 'completed', since: long } as const
    const quoting = { ...factsAt('technical_visit'), appointments: [visited] }
    expect(of(quoting, []).since).toEqual(long)
    expect(of(quoting, [booked(), call])).toMatchObject({
      sentence: 'Mañana, a las 8:00, Andrés te espera por video.',
      next: { to: '/videocall' },
      since: null,
      about: null,
    })
    expect(of(quoting, [booked()]).about).toBe(visit)
    expect(of(accepted, [call]).about).toBeNull()
    const onTheWay = booked({ service: visit, state: 'en_route', startsAt: local('2026-11-24T07:00') })
    expect(of(quoting, [onTheWay, call]).about).toBeNull()
  })

  test('asked about another time, or with an open room, says that first', () => {
    const part = { service: visit, state: 'assigned', outcome: null, since: long } as const
    const status = projectStatusOf({ ...factsAt(visit), appointments: [part] }, long)
    expect(homeWords({ status, booked: [booked()], asked: visit, isCallOpen: false }, reading)).toEqual({
      sentence: askedLine,
      detail: null,
      since: null,
      about: null,
      next: { label: 'Ver y contestar', to: '/technics-visit' },
    })
    const room = {
      ...status,
      line: 'Tu llamada ya está abierta.',
      next: { label: 'Entrar', to: '/videocall?llamada' },
    }
    expect(
      homeWords({ status: room, booked: [booked()], asked: null, isCallOpen: true }, reading).next.to,
    ).toBe('/videocall?llamada')
  })
})

describe('the sentence about what is booked', () => {
  const at = (when: string, changes: Partial<BookedFacts> = {}, window = 30) =>
    bookedSentence(booked(changes), { now: local(when), window })

  test.each([
    ['2026-11-22T23:59', 'El martes 24 de noviembre, entre 9:00 y 9:30, te visita Teresa.'],
    ['2026-11-23T00:00', 'Mañana, entre 9:00 y 9:30, te visita Teresa.'],
    ['2026-11-23T23:59', 'Mañana, entre 9:00 y 9:30, te visita Teresa.'],
    ['2026-11-24T00:00', 'Hoy, entre 9:00 y 9:30, te visita Teresa.'],
    ['2026-11-24T09:29', 'Hoy, entre 9:00 y 9:30, te visita Teresa.'],
    ['2026-11-25T00:00', 'Tu visita era el martes 24 de noviembre.'],
  ])('read at %s is «%s»', (when, sentence) => {
    expect(at(when).sentence).toBe(sentence)
  })

  test('from half an hour after the start says what to do if nobody came, then that we know', () => {
    expect(at('2026-11-24T09:29').detail).toBeNull()
    expect(at('2026-11-24T09:30').detail).toContain('Avísanos')
    for (const state of ['requested', 'assigned', 'en_route'] as const)
      expect(at('2026-11-24T09:41', { missed: 'reported', state }).sentence).toContain('te llamamos')
    expect(at('2026-11-24T09:41', { missed: 'arrived', state: 'in_progress' }).sentence).toBe(
      'Teresa está haciendo tu visita.',
    )
  })

  test('of a delay says about when they come; on the way, where nothing better is known', () => {
    const runningLate = { minutes: 30, until: local('2026-11-24T09:30') } as const
    const words = 'Tu técnico va unos 30 minutos tarde: llega cerca de las 9:30 a.\u00a0m.'
    expect(at('2026-11-24T08:40', { state: 'assigned', runningLate })).toEqual({
      sentence: words,
      detail: null,
    })
    expect(at('2026-11-24T08:40', { state: 'en_route', runningLate }).detail).toBe(words)
    const arrival = { from: local('2026-11-24T09:30'), to: local('2026-11-24T09:40') }
    expect(at('2026-11-24T08:40', { state: 'en_route', runningLate, arrival }).detail).toBe(
      'Llega entre 9:30 y 9:40 a.\u00a0m.',
    )
  })

  test('a provisional person is not named, and without a window the hour is', () => {
    expect(at('2026-11-23T12:00', { state: 'requested' }, 0)).toEqual({
      sentence: 'Mañana, a las 9:00, te visitamos.',
      detail: 'Ya tienes tu lugar. Te avisamos quién te visita.',
    })
    expect(at('2026-11-24T08:40', { state: 'en_route', assignee: null }).sentence).toBe(
      'Tu técnico va en camino.',
    )
    expect(at('2026-11-24T08:40', { state: 'en_route' }).detail).toBe('Llega entre 9:00 y 9:30 a.\u00a0m.')
  })
})

test('above the card of what is booked nothing is said that the card says', () => {
  const above = (changes: Partial<BookedFacts>) =>
    sentenceAbove(booked(changes), { now: local('2026-11-24T09:40'), window: 30 })
  for (const state of ['requested', 'assigned'] as const) expect(above({ state })).toBeNull()
  expect(above({ state: 'en_route', missed: 'reported' })).toBeNull()
  expect(above({ state: 'assigned', missed: 'coming' })).toBe('Tu técnico va en camino.')
  expect(above({ state: 'en_route' })).toBe('Teresa va en camino.')
  expect(above({ state: 'in_progress', missed: 'arrived' })).toBe('Teresa está haciendo tu visita.')
})

test('what is prepared for a visit says where it is told, until it is known', () => {
  const items = preparations({ bill: true, car: false, access: false })
  expect(items.map(({ isKnown, label, step }) => [label, isKnown, step.to])).toEqual([
    ['Tu recibo de CFE', true, '/address?editar'],
    ['El modelo de tu auto', false, '/technics-visit#equipo'],
    ['El acceso a tu medidor y a tu estacionamiento', false, '/address?editar'],
  ])
})
