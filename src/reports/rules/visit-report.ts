import { dwellingLabels } from '../../projects/rules/address.ts'
import { conductors, supplies } from './circuit.ts'
import { feeders } from './passport.ts'
import { extraSlots } from './photos.ts'
import type { Answers, Section } from './report.ts'

const tenures = { owner: 'Es dueño', tenant: 'Renta' } as const
const routes = { visible: 'Visible', embedded: 'Empotrada', underground: 'Subterránea' } as const
const walls = {
  block: 'Block o tabique',
  concrete: 'Concreto',
  drywall: 'Tablaroca',
  stone: 'Piedra',
  wood: 'Madera',
  other: 'Otro',
  none: 'Ninguno',
} as const
const tariffs = Object.fromEntries(
  ['1', '1A', '1B', '1C', '1D', '1E', '1F', 'DAC', 'PDBT', 'GDBT', 'APBT', 'GDMTO', 'GDMTH', 'No sé'].map(
    (code) => [code, code],
  ),
)
export const chargerSuppliers = {
  ours: 'Carga en Casa',
  own: 'El cliente',
  dealership: 'La concesionaria',
} as const
/** The ampacity of a feeder that is hidden, or not of copper, is unknown. */
const feederLabels = {
  ...Object.fromEntries(feeders.map(({ gauge }) => [gauge, `${gauge}\u00a0AWG`])),
  unknown: 'No es de cobre o no se ve',
} as const
export const meterChoices = { same: 'El mismo medidor', second: 'Un segundo medidor' } as const
export const feasibilities = {
  viable: 'Viable',
  with_works: 'Viable con adecuaciones',
  not_viable: 'No viable',
} as const
export type Feasibility = keyof typeof feasibilities

const hasTwoHots = ({ supply }: Answers) => typeof supply === 'string' && supply !== 'single'
const hasThreeHots = ({ supply }: Answers) => supply === 'three'
const always = () => true
/** Reports started before these questions existed, about the home or each pair of phases, do not require them. */
const unless = (asks: string) => (answers: Answers) => answers[asks] !== true
const unlessHouseAsked = unless('asksHouse')
const unlessFeederAsked = unless('asksFeeder')
const ofThreeHots = { asked: hasThreeHots, optional: unless('asksPhases') }
const volts = { kind: 'number', unit: 'V', min: 0, max: 480, decimals: 1, measured: true } as const

/** The report of a technical visit, step by step: distances in metres, currents in amperes, powers in kW and W. */
export const visitReport: readonly Section[] = [
  {
    id: 'lugar',
    title: 'El lugar',
    questions: [
      { name: 'dwelling', label: 'Tipo de vivienda', kind: 'choice', options: dwellingLabels },
      { name: 'tenure', label: '¿Es dueño o renta?', kind: 'choice', options: tenures },
      {
        name: 'area',
        label: 'Superficie construida',
        kind: 'number',
        unit: 'm²',
        min: 15,
        max: 3000,
        decimals: 0,
        optional: unlessHouseAsked,
        help: 'De toda la casa, aunque sea a ojo: de ahí sale la demanda de alumbrado y contactos.',
      },
    ],
    slots: ['facade', 'parking'],
  },
  {
    id: 'medidor',
    title: 'Medidor y acometida',
    questions: [
      { name: 'supply', label: 'Suministro', kind: 'choice', options: supplies },
      { name: 'meterNumber', label: 'Número de medidor', kind: 'text', max: 20 },
      {
        name: 'cfeServiceNumber',
        label: 'Número de servicio de CFE',
        kind: 'text',
        max: 12,
        digits: 12,
        help: 'Viene en el recibo: 12 dígitos.',
        optional: always,
      },
      { name: 'tariff', label: 'Tarifa', kind: 'choice', options: tariffs },
      {
        name: 'contractedKilowatts',
        label: 'Carga contratada con CFE',
        kind: 'number',
        unit: 'kW',
        min: 0.5,
        max: 200,
        decimals: 1,
        optional: unlessHouseAsked,
        help: 'Viene en el recibo. Si no la dice, pon 5 en monofásico y 10 en bifásico, que es lo usual.',
      },
      { name: 'meterAtLimit', label: '¿El medidor está en el límite de la propiedad?', kind: 'yesNo' },
      {
        name: 'poleDistance',
        label: 'Distancia del poste al medidor',
        kind: 'number',
        unit: 'm',
        min: 0,
        max: 300,
        decimals: 1,
        help: 'A más de 35\u00a0m, CFE pide un estudio de factibilidad.',
      },
    ],
    slots: ['meter', 'service_entrance', 'pole', 'cfe_bill'],
  },
  {
    id: 'tablero',
    title: 'Tablero eléctrico',
    questions: [
      { name: 'panelBrand', label: 'Marca del tablero', kind: 'text', max: 40 },
      {
        name: 'mainBreaker',
        label: 'Pastilla principal',
        kind: 'number',
        unit: 'A',
        min: 15,
        max: 400,
        decimals: 0,
      },
      {
        name: 'feederGauge',
        label: 'Calibre del alimentador',
        kind: 'choice',
        options: feederLabels,
        optional: unlessFeederAsked,
        help: 'El cable del medidor al tablero.',
      },
      {
        name: 'feederMetres',
        label: 'Metros del medidor al tablero',
        kind: 'number',
        unit: 'm',
        min: 0,
        max: 300,
        decimals: 1,
        optional: unlessFeederAsked,
      },
      {
        name: 'sparePoles',
        label: 'Polos libres',
        kind: 'number',
        unit: 'polos',
        min: 0,
        max: 42,
        decimals: 0,
        measured: true,
        help: 'El cargador usa 1, 2 o 3.',
      },
      { name: 'voltsL1N', label: 'Voltaje L1 a neutro', ...volts },
      { name: 'voltsL2N', label: 'Voltaje L2 a neutro', ...volts, asked: hasTwoHots },
      { name: 'voltsL3N', label: 'Voltaje L3 a neutro', ...volts, asked: hasThreeHots },
      { name: 'voltsL1L2', label: 'Voltaje entre L1 y L2', asked: hasTwoHots, ...volts },
      { name: 'voltsL2L3', label: 'Voltaje entre L2 y L3', ...volts, ...ofThreeHots },
      { name: 'voltsL1L3', label: 'Voltaje entre L1 y L3', ...volts, ...ofThreeHots },
      { name: 'voltsNG', label: 'Voltaje neutro a tierra', ...volts },
      { name: 'groundOk', label: '¿La tierra física está bien?', kind: 'yesNo', measured: true },
    ],
    slots: ['panel_closed', 'panel_open', 'main_breaker', 'feeder'],
    when: { slots: ['feeder'], asked: (answers) => !unlessFeederAsked(answers) },
  },
  {
    id: 'cargas',
    title: 'Cargas de la casa',
    questions: [
      {
        name: 'loads',
        label: 'Cargas fuertes de la casa',
        kind: 'loads',
        help: 'Eléctricas: toca las que haya, dos veces si hay dos. Cambia los watts si la placa dice otros.',
      },
    ],
    slots: [],
  },
  {
    id: 'ruta',
    title: 'Ruta del cable',
    questions: [
      {
        name: 'chargerDistance',
        label: 'Recorrido del cable, del tablero al cargador',
        kind: 'number',
        unit: 'm',
        min: 0,
        max: 300,
        decimals: 1,
        help: 'Por donde irá el cable, no en línea recta.',
      },
      { name: 'route', label: 'Tipo de ruta', kind: 'choice', options: routes },
      {
        name: 'walls',
        label: '¿Qué muros hay que cruzar? (varios)',
        kind: 'choices',
        options: walls,
        none: 'none',
      },
      { name: 'obstacles', label: 'Obstáculos', kind: 'lines', max: 500, optional: always },
    ],
    slots: ['charger_place', 'route_1', 'route_2'],
  },
  {
    id: 'cargador',
    title: 'Auto y cargador',
    questions: [
      { name: 'vehicle', label: 'Auto', kind: 'text', max: 80, help: 'Marca, modelo y año.' },
      {
        name: 'chargerSupplier',
        label: '¿Quién pone el cargador?',
        kind: 'choice',
        options: chargerSuppliers,
      },
      { name: 'chargerBrand', label: 'Marca del cargador', kind: 'text', max: 40, optional: always },
      { name: 'chargerModel', label: 'Modelo del cargador', kind: 'text', max: 60, optional: always },
      { name: 'chargerSupply', label: 'Alimentación del cargador', kind: 'choice', options: supplies },
      {
        name: 'chargerKilowatts',
        label: 'Potencia del cargador',
        kind: 'number',
        unit: 'kW',
        min: 1.4,
        max: 22,
        decimals: 1,
      },
      {
        name: 'chargerAmps',
        label: 'Corriente de placa',
        kind: 'number',
        unit: 'A',
        min: 6,
        max: 80,
        decimals: 1,
        help: 'Si la placa la dice, ésa manda.',
        optional: always,
      },
      { name: 'meterChoice', label: 'Medidor', kind: 'choice', options: meterChoices },
    ],
    slots: [],
  },
  {
    id: 'calculo',
    title: 'Cálculo preliminar',
    questions: [
      {
        name: 'terminals75',
        label: '¿La pastilla y el cargador tienen zapatas marcadas a 75\u00a0°C?',
        kind: 'yesNo',
        help: 'Si no las tienen los dos, se calcula a 60\u00a0°C.',
      },
      { name: 'conductor', label: 'Calibre del conductor', kind: 'conductor' },
      { name: 'loadIncrease', label: '¿Hace falta aumentar la carga contratada?', kind: 'yesNo' },
      { name: 'needsUvie', label: '¿Se necesita dictamen de una UVIE?', kind: 'yesNo' },
      { name: 'needsPermit', label: '¿Hace falta permiso del condominio?', kind: 'yesNo' },
    ],
    slots: [],
  },
  {
    id: 'trabajo',
    title: 'Trabajo y viabilidad',
    questions: [
      { name: 'materials', label: 'Materiales', kind: 'lines', max: 2000 },
      {
        name: 'hours',
        label: 'Horas estimadas',
        kind: 'number',
        unit: 'h',
        min: 0.5,
        max: 80,
        decimals: 1,
      },
      { name: 'feasibility', label: 'Viabilidad', kind: 'choice', options: feasibilities },
      {
        name: 'feasibilityReason',
        label: 'Por qué, y qué lo cambiaría',
        kind: 'lines',
        max: 1000,
        help: 'El cliente lo lee.',
        asked: ({ feasibility }) => feasibility === 'with_works' || feasibility === 'not_viable',
      },
      { name: 'notes', label: 'Notas', kind: 'lines', max: 2000, optional: always },
    ],
    slots: [],
    extra: extraSlots,
  },
  {
    id: 'firmas',
    title: 'Firmas',
    questions: [{ name: 'customerName', label: 'Nombre de quien te recibió', kind: 'text', max: 80 }],
    slots: ['signature_technician', 'signature_customer'],
  },
]

/** The conductors by their gauge, in words. */
export const gaugeLabels: Record<string, string> = Object.fromEntries(
  conductors.map(({ gauge }) => [gauge, `${gauge}\u00a0AWG`]),
)
