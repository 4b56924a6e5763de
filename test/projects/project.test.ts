import { expect, test } from 'vitest'
import type { AppointmentState, Outcome, Service } from '../../src/domain/appointments/appointment.ts'
import { statusBeforeHandOver } from '../../src/domain/projects/next-step.ts'
import {
  askedLine,
  hindranceOf,
  noProject,
  type ProjectFacts,
  projectStatusOf,
} from '../../src/domain/projects/project.ts'
import type { PartReport, Stage, Waiting } from '../../src/domain/projects/stages.ts'
import { defaultSettings, parseSettings } from '../../src/domain/settings/settings-schema.ts'

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
  [{}, ['technical_visit requested', 'technical_visit done'], 'quoting analyst', 'cotización'],
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
