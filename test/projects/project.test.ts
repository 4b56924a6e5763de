import { readFileSync } from 'node:fs'
import {
  type AppointmentState,
  appointmentStates,
  isActive,
  type Outcome,
  outcomes,
  type Service,
} from '../../src/appointments/rules/appointment.ts'
import { type CasePart, caseStates, isOpenCase, turnOf } from '../../src/cfe/rules/case.ts'
import { turnActs } from '../../src/customers/rules/work.ts'
import type { Concept } from '../../src/payments/rules/payment.ts'
import { type MoneyFacts, statusBeforeHandOver } from '../../src/projects/rules/next-step.ts'
import {
  askedLine,
  fullProjectStatusOf,
  hindranceOf,
  isInstalled,
  noProject,
  type ProjectFacts,
  projectStatusOf,
} from '../../src/projects/rules/project.ts'
import type { PartReport, ProjectPart, Stage, Waiting } from '../../src/projects/rules/stages.ts'
import { quoteStates } from '../../src/quotes/rules/quote.ts'
import { sheetStates } from '../../src/reports/rules/report.ts'
import { defaultSettings, parseSettings } from '../../src/settings/rules/settings-schema.ts'

const day = (n: number) => new Date(Date.UTC(2026, 10, n))
type Short = `${Service} ${AppointmentState}` | `${Service} ${AppointmentState} ${Outcome}`
const parts = (list: readonly Short[]) =>
  list.map((short, n) => {
    const [service, state, outcome] = short.split(' ') as [Service, AppointmentState, Outcome?]
    return { service, state, outcome: outcome ?? null, since: day(n + 2) }
  })
const facts = (changes: Partial<ProjectFacts>, list: readonly Short[] = []): ProjectFacts => ({
  ...noProject,
  area: 'served',
  since: day(1),
  appointments: parts(list),
  ...changes,
})
const accepted = { quoteAcceptedAt: day(10) }
const paid = { ...accepted, depositPaidAt: day(11) }
const permitted = { ...paid, permitNeeded: true, permitReceivedAt: day(12), permitValidAt: day(12) }

type Case = [Partial<ProjectFacts>, Short[], turn: `${Stage} ${Waiting}`, words: string, to?: string]
const cases: Case[] = [
  [{ area: 'to_verify' }, [], 'intake manager', 'Revisamos tu domicilio'],
  [{ area: 'outside' }, [], 'intake none', 'Todavía no llegamos'],
  [{}, ['videocall assigned'], 'advisory analyst', 'Tu asesoría está confirmada'],
  [{ area: 'none' }, ['videocall in_progress'], 'advisory analyst', 'está en curso'],
  [{ area: 'none' }, ['videocall done'], 'intake customer', 'dinos dónde', '/address'],
  [{}, ['videocall assigned', 'technical_visit requested'], 'visit manager', 'Ya tienes tu lugar'],
  [{}, ['technical_visit en_route'], 'visit technician', 'va en camino'],
  [{}, ['technical_visit in_progress'], 'visit technician', 'está haciendo'],
  [{}, ['technical_visit paused'], 'visit technician', 'pausa'],
  [{}, ['technical_visit done completed', 'videocall assigned'], 'quoting analyst', 'tu cotización'],
  [
    {},
    ['technical_visit cancelled', 'technical_visit no_show'],
    'intake customer',
    'agenda tu visita',
    '/agenda-technics-visit',
  ],
  [{}, ['technical_visit cancelled', 'technical_visit assigned'], 'visit technician', 'está confirmada'],
  [{}, ['technical_visit requested', 'technical_visit done'], 'visit manager', 'Ya tienes tu lugar'],
  [{ ...paid, permitNeeded: true }, [], 'installing customer', 'el permiso', '/installation'],
  [permitted, [], 'installing customer', 'agenda tu instalación', '/agenda-installation'],
  [paid, ['installation requested'], 'installing manager', 'Ya tienes tu lugar'],
  [paid, ['installation assigned'], 'installing technician', 'Tu instalación está confirmada'],
  [{ lostAt: day(20) }, ['technical_visit done'], 'lost none', 'Cerramos este proyecto'],
]

test.each(cases)('a project with %j and %j has the stage and turn: %s', (changes, list, turn, words, to) => {
  const { line, next, stage, waitingOn } = projectStatusOf(facts(changes, list))
  expect(`${stage} ${waitingOn}`).toBe(turn)
  expect(line).toContain(words)
  expect(next?.to).toBe(to)
})

test.each<Short[]>([['technical_visit requested'], ['technical_visit done', 'videocall requested']])(
  'a project waits on a customer who is asked about another time of %s',
  (...list) => {
    const standing = projectStatusOf(facts({}, list))
    expect(standing.waitingOn).not.toBe('customer')
    expect(projectStatusOf(facts({}, list), day(20))).toEqual({
      ...standing,
      waitingOn: 'customer',
      line: askedLine,
      since: day(20),
    })
  },
)

test('a project has each turn since what caused it', () => {
  const since = (changes: Partial<ProjectFacts>, list: Short[] = []) =>
    projectStatusOf(facts(changes, list)).since
  expect(since({})).toEqual(day(1))
  expect(since({}, ['technical_visit done', 'videocall done'])).toEqual(day(2))
  expect(since({}, ['videocall done', 'technical_visit cancelled'])).toEqual(day(3))
  expect(since(accepted, ['technical_visit done'])).toEqual(day(10))
  expect(since(paid)).toEqual(day(11))
  expect(since(permitted)).toEqual(day(12))
})

test.each<[Service, Partial<ProjectFacts>, Short[], string | null]>([
  ['technical_visit', { area: 'none' }, [], 'address'],
  ['technical_visit', { area: 'outside' }, [], 'area'],
  ['technical_visit', {}, ['technical_visit requested'], 'active_one'],
  ['technical_visit', {}, ['technical_visit done', 'videocall assigned'], null],
  ['videocall', { area: 'none' }, [], null],
  ['videocall', { area: 'outside' }, ['technical_visit assigned'], null],
  ['videocall', {}, ['videocall assigned'], 'active_one'],
  ['installation', {}, [], 'not_ready'],
  ['installation', accepted, [], 'not_ready'],
  ['installation', { ...paid, permitNeeded: true }, [], 'not_ready'],
  ['installation', paid, [], null],
  ['installation', paid, ['installation assigned'], 'active_one'],
  ['installation', paid, ['installation done partial'], null],
  ['installation', paid, ['installation done completed'], 'finished'],
  ['installation', { ...paid, area: 'to_verify' }, [], 'area'],
  ['technical_visit', paid, ['installation done completed'], 'concluded'],
  ['technical_visit', paid, ['installation done partial'], null],
  ['videocall', paid, ['installation done completed'], null],
])('a project hinders the booking of a %s with %j and %j by %s', (service, changes, list, hindrance) =>
  expect(hindranceOf(service, facts(changes, list), null)).toBe(hindrance),
)

test('a project allows another visit for a fault after an installation', () =>
  expect(hindranceOf('technical_visit', facts(paid, ['installation done completed']), day(12))).toBeNull())

const wall = 'Por el muro.'
test.each<
  [PartReport['state'], string | null, Short[], turn: `${Stage} ${Waiting}`, words: string, to?: string]
>([
  ['draft', null, [], 'quoting analyst', 'tu cotización'],
  ['submitted', wall, [], 'visit analyst', 'Revisamos lo que'],
  ['returned', null, [], 'visit technician', 'completa el reporte'],
  ['approved', null, [], 'quoting analyst', 'tu cotización'],
  ['approved', wall, [], 'visit customer', `no es viable: ${wall}`, '/agenda-videocall'],
  ['approved', wall, ['videocall assigned'], 'visit analyst', 'no es viable', '/videocall'],
  ['approved', wall, ['videocall done'], 'visit customer', 'no es viable', '/agenda-videocall'],
])(
  'a project with a visit report %s, %j against it and %j is at %s',
  (state, notViable, calls, turn, words, to) => {
    const report = { state, notViable, since: day(15) }
    const [visit] = parts(['technical_visit done completed'])
    const appointments = [{ ...visit!, report }, ...parts(calls)]
    const { line, next, since, stage, waitingOn } = projectStatusOf({ ...facts({}), appointments })
    expect([`${stage} ${waitingOn}`, next?.to]).toEqual([turn, to])
    expect(line).toContain(words)
    expect(since).toEqual(state === 'draft' ? visit!.since : day(15))
    // What was agreed after a report goes before it.
    expect(projectStatusOf({ ...facts(accepted), appointments }).stage).toBe('deposit')
  },
)

test.each([
  ['draft', 'analyst', 'Revisamos'],
  ['submitted', 'analyst', 'Revisamos'],
  ['returned', 'technician', 'Tu técnico'],
] as const)('a project with an installation record %s waits on the %s', (state, waitingOn, words) => {
  const standing = statusBeforeHandOver({ report: { state, notViable: null, since: day(15) } })
  expect(standing).toMatchObject({ stage: 'installing', waitingOn, line: expect.stringContaining(words) })
})

test('settings complete stored values with defaults', () => {
  expect(parseSettings(null)).toEqual(defaultSettings)
  const settings = parseSettings({ stepMinutes: 15, services: { videocall: { minutes: 45 } } })
  expect(settings.stepMinutes).toBe(15)
  expect(settings.services.videocall).toEqual({ ...defaultSettings.services.videocall, minutes: 45 })
  expect(settings.services.technical_visit).toEqual(defaultSettings.services.technical_visit)
})

test.each([
  { stepMinutes: 25 },
  { hours: [null] },
  { autoConfirmAt: '25:00' },
  { holidays: ['2026-02-30'] },
  { bufferMinutes: -1 },
])('settings refuse %j', (stored) => expect(() => parseSettings(stored)).toThrow())

const since = day(15)
const part = (service: Service, state: AppointmentState, more: Partial<ProjectPart> = {}): ProjectPart => {
  return { service, state, outcome: null, since, ...more }
}
/** Every way an appointment stands: its states, how it ended, and what became of its report. */
const partsOf = (service: Service): ProjectPart[] => [
  ...appointmentStates.map((state) => part(service, state)),
  part(service, 'assigned', { missed: 'reported' }),
  ...outcomes.map((outcome) => part(service, 'done', { outcome })),
  ...sheetStates.flatMap((state) =>
    [null, 'Por el muro.'].map((notViable) => part(service, 'done', { report: { state, since, notViable } })),
  ),
]
const openCases: (CasePart | null)[] = caseStates.filter(isOpenCase).flatMap((state) => {
  const turns = [true, false].map((customerOwes) =>
    turnOf({ state, kind: 'load_increase', correctedBy: 'customer', customerOwes }),
  )
  return [...new Set(turns)].map((turn) => ({ state, turn, since }))
})
const charges = (concept: Concept): MoneyFacts['demands'][] => [
  [],
  [{ concept, state: 'pending', since, amount: 100, dueAt: null }],
  [{ concept, state: 'in_review', since, amount: 100, dueAt: null }],
]
const blocked = {
  kind: 'load_increase',
  limitAmps: null,
  heldAmps: null,
  isMet: false,
  blocksBooking: true,
} as const

/** Before a quote is accepted: area, visits, call, the newest quote and its charge. */
function* unagreed(): Generator<Partial<ProjectFacts>> {
  const calls = [[], ...partsOf('videocall').map((call) => [call])]
  const booked = [[], [part('technical_visit', 'requested')]]
  const newest = [null, ...quoteStates.filter((state) => state !== 'accepted' && state !== 'draft')]
  for (const visit of [[], ...partsOf('technical_visit').map((one) => [one])])
    for (const other of booked)
      for (const state of newest)
        for (const call of state ? [[]] : calls)
          for (const askedAnew of state ? [true, false] : [false])
            for (const demands of charges('deposit')) {
              const quote = state && { state, askedAnew, since, validUntil: null }
              const money = { quote, demands, extraWorkSince: null }
              yield { area: 'served', appointments: [...other, ...visit, ...call], money }
            }
  for (const area of ['none', 'to_verify', 'outside'] as const) yield { area }
}

/** From the accepted quote on: deposit, permit, conditions, cases, installation and balance. */
function* agreed(): Generator<Partial<ProjectFacts>> {
  const quote = { state: 'accepted', askedAnew: false, since, validUntil: null } as const
  const permits = [{}, { permitNeeded: true }, { permitNeeded: true, permitReceivedAt: since }, permitted]
  const works = [[], ...partsOf('installation').map((one) => [one])]
  const visits = [[], [part('technical_visit', 'requested')], [part('technical_visit', 'assigned')]]
  for (const deposit of [null, since])
    for (const permit of permits)
      for (const conditions of [[], [blocked]])
        for (const cfeCase of [null, ...openCases])
          for (const work of works)
            for (const visit of visits)
              for (const demands of charges(deposit ? 'balance' : 'deposit'))
                for (const extraWorkSince of cfeCase ? [null] : [null, since])
                  yield {
                    ...permit,
                    conditions,
                    cfeCase,
                    quoteAcceptedAt: since,
                    depositPaidAt: deposit,
                    appointments: [...work, ...visit],
                    money: { quote, demands, extraWorkSince },
                  }
}

test('every reachable combination of visit, report, quote, payment and case has an owner with an act', () => {
  const reached = new Set<string>()
  let count = 0
  for (const combinations of [unagreed(), agreed(), [{ lostAt: since }]])
    for (const changes of combinations)
      for (const askedSince of [null, since])
        for (const faultSince of [null, since]) {
          const project = { ...noProject, since, ...changes }
          if (askedSince && !project.appointments.some(({ state }) => isActive(state))) continue
          if (faultSince && !isInstalled(project)) continue
          const status = fullProjectStatusOf(project, { askedSince, faultSince })
          const { next, stage, waitingOn } = status
          count++
          if (waitingOn === 'none') {
            const ends = stage === 'lost' || stage === 'closed' || project.area === 'outside'
            if (!ends) expect.unreachable(JSON.stringify([status, project]))
            continue
          }
          if (!turnActs[stage][waitingOn]) expect.unreachable(JSON.stringify([status, project]))
          if (waitingOn === 'customer' && !next && !askedSince)
            expect.unreachable(JSON.stringify([status, project]))
          reached.add(`${stage} ${waitingOn}`)
        }
  const known = Object.entries(turnActs).flatMap(([stage, turns]) =>
    Object.keys(turns).map((turn) => `${stage} ${turn}`),
  )
  expect([...reached].toSorted()).toEqual(known.toSorted())
  expect(count).toBeGreaterThan(10_000)
})

test('the page of projects lists the turns', () => {
  const lines = Object.entries(turnActs).map(([stage, turns]) => {
    const all = Object.entries(turns).map(([turn, { on }]) => {
      return `${turn}: ${typeof on === 'string' ? on : on[0] + (on.length > 1 ? '…' : '')}`
    })
    return `- **${stage}.** ${all.join('; ') || 'none'}`
  })
  expect(readFileSync('docs/areas/projects.md', 'utf8')).toContain(lines.join('\n'))
})
