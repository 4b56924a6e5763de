import {
  type AppointmentState,
  appointmentStates,
  isActive,
  type Outcome,
  outcomes,
  type Service,
  services,
  stateToCustomer,
} from '../../src/appointments/rules/appointment.ts'
import {
  alsoOpen,
  type BookedFacts,
  bookedSentence,
  dueFirst,
  dueMark,
  homeWords,
  preparations,
  sentenceAbove,
} from '../../src/customers/rules/customer-home.ts'
import { noMoney } from '../../src/projects/rules/next-step.ts'
import {
  askedLine,
  noProject,
  type ProjectFacts,
  projectStatusOf,
  turnsOf,
} from '../../src/projects/rules/project.ts'
import type { OpenCharge, ProjectStatus } from '../../src/projects/rules/stages.ts'

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

const visit = 'technical_visit'
const mornings = 'Mañana, entre 9:00 y 9:30,'
const pause = 'Teresa hizo una pausa y continúa en un momento.'
const again = ['Sigue: agenda tu visita técnica.', '/agenda-technics-visit'] as const

type Ending = AppointmentState | Outcome
/** What a customer reads of an appointment in each state, or of how it ended. */
const sentences: Record<Service, Partial<Record<Ending, string>>> = {
  technical_visit: {
    requested: `${mornings} te visitamos.`,
    assigned: `${mornings} te visita Teresa.`,
    en_route: 'Teresa va en camino.',
    in_progress: 'Teresa está haciendo tu visita.',
    paused: pause,
    completed: 'Estamos preparando tu cotización.',
  },
  installation: {
    requested: `${mornings} instalamos tu cargador.`,
    assigned: `${mornings} Teresa instala tu cargador.`,
    en_route: 'Teresa va en camino.',
    in_progress: 'Teresa está instalando tu cargador.',
    paused: pause,
    completed: 'Tu cargador está listo desde el 20 de noviembre.',
  },
  videocall: {
    requested: 'Mañana, a las 9:00, es tu asesoría por video.',
    assigned: 'Mañana, a las 9:00, Teresa te espera por video.',
    in_progress: 'Teresa ya está contigo en la llamada.',
    paused: pause,
  },
}
/** And where their one action leads; what comes to nothing is booked again. */
const pages = { technical_visit: '/technics-visit', installation: '/installation', videocall: '/videocall' }
const anew: Record<Service, readonly [sentence: string, to: string]> = {
  technical_visit: again,
  installation: ['Sigue: agenda tu instalación.', '/agenda-installation'],
  videocall: again,
}
const labels: Partial<Record<Ending, string>> = {
  requested: 'Apartada',
  assigned: 'Confirmada',
  en_route: 'En camino',
  in_progress: 'En curso',
  paused: 'En pausa',
  completed: 'Realizada',
  partial: 'Quedó incompleta',
  not_possible: 'No fue posible',
  cancelled: 'Cancelada',
  no_show: 'No te encontramos',
}
const table = services.flatMap((service) =>
  appointmentStates
    .flatMap((state) => (state === 'done' ? outcomes : [null]).map((outcome) => [state, outcome] as const))
    .map(([state, outcome]) => [service, state, outcome] as const),
)

/** A served home, on the way to the service in question. */
const factsAt = (service: Service): ProjectFacts => ({
  ...noProject,
  area: 'served',
  since: long,
  ...(service === 'installation' && { quoteAcceptedAt: long, depositPaidAt: long }),
})

const of = (status: ProjectStatus, all: BookedFacts[] = []) =>
  homeWords({ status, booked: all, asked: null, isCallOpen: false }, reading)

test.each(table)(
  'a customer’s home has a sentence and one action for a %s that is %s %s',
  (service, state, outcome) => {
    // No analyst sets out for a call.
    if (service === 'videocall' && state === 'en_route') return
    const ending = outcome ?? state
    expect(stateToCustomer({ state, outcome }).label).toBe(labels[ending])
    const part = { service, state, outcome, since: long }
    const status = projectStatusOf({ ...factsAt(service), appointments: [part] })
    const assignee = state === 'requested' ? { assignee: null } : {}
    const words = of(status, isActive(state) ? [booked({ service, state, ...assignee })] : [])
    const own = sentences[service][ending]
    const [sentence, to] = own ? [own, pages[service]] : anew[service]
    expect(words).toMatchObject({ sentence, next: { to, label: expect.stringMatching(/./) } })
  },
)

test.each<[ProjectFacts['area'], sentence: string, to: string]>([
  ['none', 'Sigue: dinos dónde instalamos tu cargador.', '/address'],
  ['served', ...again],
  ['to_verify', 'Revisamos tu domicilio y te llamamos para confirmar si llegamos.', '/address'],
  ['outside', 'Todavía no llegamos a tu zona.', '/address'],
])('a customer’s home says of an address whose area is %s: «%s»', (area, sentence, to) => {
  expect(of(projectStatusOf({ ...noProject, area, since: long }))).toMatchObject({ sentence, next: { to } })
})

test('a customer’s home puts the customer’s own task before bookings, and the soonest booking first', () => {
  const call = booked({
    service: 'videocall',
    startsAt: local('2026-11-24T08:00'),
    assignee: 'Andrés Luna',
  })
  const accepted = projectStatusOf({ ...factsAt(visit), quoteAcceptedAt: long })
  expect(of(accepted, [call]).next.to).toBe('/payments')
  const visited = { service: visit, state: 'done', outcome: 'completed', since: long } as const
  const quoting = projectStatusOf({ ...factsAt(visit), appointments: [visited] })
  expect(of(quoting).since).toEqual(long)
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

test('a customer’s home puts first that the customer is asked about another time, or that the room is open', () => {
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

const at = (when: string, changes: Partial<BookedFacts> = {}, window = 30) =>
  bookedSentence(booked(changes), { now: local(when), window })

test.each([
  ['2026-11-22T23:59', 'El martes 24 de noviembre, entre 9:00 y 9:30, te visita Teresa.'],
  ['2026-11-23T00:00', 'Mañana, entre 9:00 y 9:30, te visita Teresa.'],
  ['2026-11-24T09:29', 'Hoy, entre 9:00 y 9:30, te visita Teresa.'],
  ['2026-11-25T00:00', 'Tu visita era el martes 24 de noviembre.'],
])('the sentence about a booking at %s is «%s»', (when, sentence) => {
  expect(at(when).sentence).toBe(sentence)
})

test('the sentence about a booking says half an hour after the start what to do if no technician came, then that we know', () => {
  expect(at('2026-11-24T09:29').detail).toBeNull()
  expect(at('2026-11-24T09:30').detail).toContain('Avísanos')
  for (const state of ['requested', 'assigned', 'en_route'] as const)
    expect(at('2026-11-24T09:41', { missed: 'reported', state }).sentence).toContain('te llamamos')
  expect(at('2026-11-24T09:41', { missed: 'arrived', state: 'in_progress' }).sentence).toBe(
    'Teresa está haciendo tu visita.',
  )
})

test('the sentence about a booking says when a late technician comes, and on the way where no better time is known', () => {
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

test('the sentence about a booking names the hour without an arrival window, and no provisional technician', () => {
  expect(at('2026-11-23T12:00', { state: 'requested' }, 0)).toEqual({
    sentence: 'Mañana, a las 9:00, te visitamos.',
    detail: 'Ya tienes tu lugar. Te avisamos quién te visita.',
  })
  expect(at('2026-11-24T08:40', { state: 'en_route', assignee: null }).sentence).toBe(
    'Tu técnico va en camino.',
  )
  expect(at('2026-11-24T08:40', { state: 'en_route' }).detail).toBe('Llega entre 9:00 y 9:30 a.\u00a0m.')
})

test('shows above the card of a booking only what the card does not say', () => {
  const above = (changes: Partial<BookedFacts>) =>
    sentenceAbove(booked(changes), { now: local('2026-11-24T09:40'), window: 30 })
  for (const state of ['requested', 'assigned'] as const) expect(above({ state })).toBeNull()
  expect(above({ state: 'en_route', missed: 'reported' })).toBeNull()
  expect(above({ state: 'assigned', missed: 'coming' })).toBe('Tu técnico va en camino.')
  expect(above({ state: 'en_route' })).toBe('Teresa va en camino.')
  expect(above({ state: 'in_progress', missed: 'arrived' })).toBe('Teresa está haciendo tu visita.')
})

test('links what to prepare for a visit to where it is entered', () => {
  const items = preparations({ bill: true, car: false, access: false })
  expect(items.map(({ isKnown, label, step }) => [label, isKnown, step.to])).toEqual([
    ['Tu recibo de CFE', true, '/address?editar'],
    ['El modelo de tu auto', false, '/technics-visit#equipo'],
    ['El acceso a tu medidor y a tu estacionamiento', false, '/address?editar'],
  ])
})

const charge = (concept: OpenCharge['concept'], changes: Partial<OpenCharge> = {}): OpenCharge => ({
  concept,
  state: 'pending',
  since: long,
  amount: 14_930_80,
  dueAt: local('2026-12-01T23:59'),
  ...changes,
})
const pay = 'Tu finiquito: $14,930.80, a más tardar el martes 1 de diciembre.'
const owes = (...demands: OpenCharge[]): Partial<ProjectFacts> => ({ money: { ...noMoney, demands } })
const installed = {
  ...factsAt('installation'),
  appointments: [{ service: 'installation', state: 'done', outcome: null, since: long }] as const,
}
const toSign = { cfeCase: { state: 'approved', turn: 'customer', since: long } } as const
const reported = 'Recibimos tu reporte y te llamamos. También puedes agendar tu visita de garantía ahora.'
const deposit = { ...factsAt(visit), quoteAcceptedAt: long, permitNeeded: true }

test.each<[what: string, ProjectFacts, faultSince: Date | null, sentence: string, also: string[]]>([
  ['nothing else', { ...installed, ...owes(charge('balance')) }, null, 'Sigue: paga tu finiquito.', []],
  ['a balance beside a fault', { ...installed, ...owes(charge('balance')) }, long, reported, [pay]],
  [
    'two amounts and a case, the soonest due first',
    {
      ...installed,
      ...toSign,
      ...owes(charge('balance'), charge('extra_work', { dueAt: now, isRest: true })),
    },
    null,
    'Te faltan $14,930.80 de tu trabajo adicional.',
    [pay, 'Firma tu contrato con CFE.'],
  ],
  [
    'a permit beside a proof in review',
    { ...deposit, ...owes(charge('deposit', { state: 'in_review' })) },
    null,
    'Estamos revisando tu comprobante.',
    ['Sube el permiso que te dio tu administración.'],
  ],
  [
    'a fee before the visit',
    { ...factsAt(visit), ...owes(charge('visit_fee', { dueAt: null })) },
    null,
    again[0],
    ['Tu visita técnica: $14,930.80.'],
  ],
])('a customer’s home lists below its sentence %s', (_, facts, faultSince, sentence, also) => {
  const turns = turnsOf(facts, { askedSince: null, faultSince })
  const words = of(turns[0])
  expect(words.sentence).toBe(sentence)
  expect(alsoOpen(turns, words, now).map((one) => one.words)).toEqual(also)
})

test('two things pending in the same words are two', () => {
  const [turn] = turnsOf({ ...installed, ...owes(charge('balance')) }, { askedSince: null, faultSince: null })
  const also = alsoOpen([turn, turn, turn], of(turn), now)
  expect(new Set(also.map(({ id }) => id)).size).toBe(2)
})

test('of several homes the first is where a payment is due soonest, then where something is to be done', () => {
  const home = (id: string, facts: ProjectFacts, hasAddress = true, chosenAt: Date | null = null) => ({
    id,
    hasAddress,
    chosenAt,
    turns: turnsOf(facts, { askedSince: null, faultSince: null }),
  })
  const homes = [
    home('empty', noProject, false, now),
    home('waiting', { ...noProject, area: 'to_verify' }, true, now),
    home('act', factsAt(visit)),
    home('chosen act', factsAt(visit), true, long),
    home('later', { ...installed, ...owes(charge('balance')) }),
    home('sooner', { ...deposit, ...owes(charge('deposit', { dueAt: now })) }),
  ]
  expect(dueFirst(homes).map((one) => [one.id, dueMark(one)])).toEqual([
    ['sooner', 'Pago pendiente'],
    ['later', 'Pago pendiente'],
    ['chosen act', 'Agendar visita'],
    ['act', 'Agendar visita'],
    ['waiting', null],
    ['empty', null],
  ])
})
