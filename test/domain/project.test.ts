import { describe, expect, test } from 'vitest'
import type { AppointmentState } from '../../src/domain/appointment.ts'
import {
  type ProjectFacts,
  type Stage,
  stageLabels,
  stageOf,
  stages,
  turnLine,
  type Waiting,
  waitingOn,
} from '../../src/domain/project.ts'
import { folioOf, serviceFacts, services } from '../../src/domain/services.ts'
import { defaultSettings, parseSettings } from '../../src/domain/settings.ts'

const cases: [ProjectFacts['area'], AppointmentState[], Stage, Waiting, string][] = [
  ['none', [], 'intake', 'customer', 'registra el domicilio'],
  ['served', [], 'intake', 'customer', 'agenda tu visita'],
  ['to_verify', [], 'intake', 'manager', 'revisamos tu domicilio'],
  ['outside', [], 'intake', 'none', 'Todavía no llegamos'],
  ['served', ['requested'], 'visit', 'manager', 'confirmamos quién'],
  ['served', ['assigned'], 'visit', 'technician', 'el día de tu visita'],
  ['served', ['en_route'], 'visit', 'technician', 'va en camino'],
  ['served', ['in_progress'], 'visit', 'technician', 'está haciendo'],
  ['served', ['paused'], 'visit', 'technician', 'pausa'],
  ['served', ['done'], 'quoting', 'analyst', 'tu cotización'],
  ['served', ['cancelled', 'no_show'], 'intake', 'customer', 'agenda tu visita'],
  ['served', ['cancelled', 'assigned'], 'visit', 'technician', 'el día de tu visita'],
  ['served', ['requested', 'done'], 'quoting', 'analyst', 'tu cotización'],
]

describe('a project', () => {
  test.each(cases)(
    'with an address %s and visits %j is at %s, waiting on %s',
    (area, visits, stage, waiting, words) => {
      expect(stageOf({ area, visits })).toBe(stage)
      expect(waitingOn({ area, visits })).toBe(waiting)
      expect(turnLine({ area, visits })).toContain(words)
    },
  )

  test('every stage has its label', () =>
    expect(stages.map((stage) => stageLabels[stage])).toEqual([
      'Registro',
      'Asesoría',
      'Visita técnica',
      'Cotización',
      'Anticipo',
      'Instalación',
      'Trámite CFE',
      'Concluido',
      'No concretado',
    ]))
})

describe('services and settings', () => {
  test('the design’s table', () =>
    expect(
      services.map((service) => [
        service,
        serviceFacts[service].label,
        serviceFacts[service].by,
        ...Object.values(defaultSettings.services[service]),
      ]),
    ).toEqual([
      ['technical_visit', 'Visita técnica', 'tecnician', 60, 24, 30, 4, 24],
      ['installation', 'Instalación', 'tecnician', 240, 72, 45, 2, 48],
      ['videocall', 'Asesoría virtual', 'analyst', 30, 2, 14, 12, 1],
    ]))

  test('folios', () => expect(folioOf('technical_visit', 2026, 12)).toBe('VT-2026-00012'))

  test('what is stored is completed with defaults', () => {
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
  ])('%j is refused', (stored) => expect(() => parseSettings(stored)).toThrow())
})
