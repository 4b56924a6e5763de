import { ampacityOf, conductors, conduits } from './circuit.ts'
import { deviations } from './limits.ts'
import type { Answers, Section } from './report.ts'

const volts = { kind: 'number', unit: 'V', min: 0, max: 480, decimals: 1, measured: true } as const

/** Records begun before ground and conduit, or the charger's plate, were asked do not require them. */
const unlessGroundAsked = ({ asksGround }: Answers) => asksGround !== true
const unlessPlateAsked = ({ asksPlate }: Answers) => asksPlate !== true
/** Nor do those begun before each test was proved by a photo of its instrument. */
const asksReadings = ({ asksReadings }: Answers) => asksReadings === true

const isLimited = ({ agreedLimit }: Answers) => typeof agreedLimit === 'number'

/** Whether the agreed current may be assumed: the breaker is the agreed one, and the charger is not limited. */
const isAsAgreed = (answers: Answers) => answers.breaker === answers.agreedBreaker && !isLimited(answers)

/** The ways to limit a charger's current. A setting of an app is not one: any user can raise it. */
const limitWays = {
  switch: 'Interruptor interno, detrás de la tapa',
  password: 'Menú con clave de instalador',
  cover: 'Perilla con cubierta sellada',
} as const

/** Whether the terminals of breaker and charger are marked for 75 °C, by the record or by the approved visit. */
export const hasTerminals75 = ({ agreedTerminals75, terminals75 }: Answers) =>
  terminals75 === true || agreedTerminals75 === true

/** Only where the conductor carries its breaker with marked terminals alone, and the visit did not find them. */
const turnsOnTerminals = ({ agreedTerminals75, breaker, conductor }: Answers) => {
  const gauge = conductors.find((one) => one.gauge === conductor)?.gauge
  return (
    agreedTerminals75 !== true &&
    gauge !== undefined &&
    ampacityOf(gauge, false) < Number(breaker) &&
    Number(breaker) <= ampacityOf(gauge, true)
  )
}

/** The checks before an installation may begin. */
const risks = {
  powerCut: 'Corté la energía y comprobé que no hay voltaje',
  lockedOut: 'Puse candado y etiqueta',
  protectiveEquipment: 'Llevo puesto mi equipo de protección',
  extinguisher: 'Tengo un extintor a la mano',
  adultPresent: 'Hay una persona adulta en la casa',
} as const
export type RiskName = keyof typeof risks
export const riskNames = Object.keys(risks) as readonly RiskName[]

/** Each check must be ticked. */
export const riskChecklist: Section = {
  id: 'riesgos',
  title: 'Antes de empezar',
  questions: riskNames.map((name) => ({ name, label: risks[name], kind: 'tick' })),
  slots: [],
}

/** The record of an installation, step by step; the first step is required to start, all steps to finish. */
export const installationRecord: readonly Section[] = [
  riskChecklist,
  { id: 'antes', title: 'El lugar antes', questions: [], slots: ['before'] },
  {
    id: 'canalizacion',
    title: 'Ruta y conductor',
    questions: [
      {
        name: 'metres',
        label: 'Metros reales de cable',
        kind: 'number',
        unit: 'm',
        min: 0,
        max: 300,
        decimals: 1,
      },
      { name: 'conductor', label: 'Calibre instalado', kind: 'conductor' },
      {
        name: 'breaker',
        label: 'Pastilla instalada',
        kind: 'number',
        unit: 'A',
        min: 15,
        max: 100,
        decimals: 0,
      },
      {
        name: 'terminals75',
        label: '¿La pastilla y el cargador tienen zapatas marcadas a 75\u00a0°C?',
        kind: 'yesNo',
        help: 'Si no las tienen los dos, el cable aguanta lo de 60\u00a0°C.',
        asked: turnsOnTerminals,
        optional: () => true,
      },
      {
        name: 'groundGauge',
        label: 'Calibre del cable de tierra',
        kind: 'conductor',
        optional: unlessGroundAsked,
      },
      {
        name: 'conduitSize',
        label: 'Tamaño de la tubería',
        kind: 'choice',
        options: conduits,
        optional: unlessGroundAsked,
      },
      {
        name: 'deviationReason',
        label: 'Por qué cambió de lo acordado',
        kind: 'lines',
        max: 1000,
        help: 'La oficina lo lee antes de aprobar.',
        asked: (answers) => deviations(answers).length > 0,
      },
    ],
    slots: ['route', 'conduit', 'panel_open', 'breaker_label'],
  },
  {
    id: 'cargador',
    title: 'Cargador',
    questions: [
      { name: 'chargerBrand', label: 'Marca', kind: 'text', max: 40 },
      { name: 'chargerModel', label: 'Modelo', kind: 'text', max: 60, optional: () => true },
      { name: 'chargerSerial', label: 'Número de serie', kind: 'text', max: 40 },
      {
        name: 'chargerSet',
        label: 'Corriente a la que quedó',
        kind: 'number',
        unit: 'A',
        min: 6,
        max: 80,
        decimals: 0,
        optional: isAsAgreed,
      },
      {
        name: 'limitWay',
        label: 'Con qué quedó limitada la corriente',
        kind: 'choice',
        options: limitWays,
        asked: isLimited,
        help: 'Como lo permite el manual. Un ajuste de la aplicación no cuenta.',
      },
      {
        name: 'plateBreaker',
        label: 'Pastilla máxima que permite la placa',
        kind: 'number',
        unit: 'A',
        min: 15,
        max: 125,
        decimals: 0,
        optional: unlessPlateAsked,
        help: 'Viene en la placa o en el manual: «max. overcurrent protection».',
      },
    ],
    slots: ['charger_mounted', 'serial_number', 'limit_setting', 'limit_label'],
    when: { slots: ['limit_setting', 'limit_label'], asked: isLimited },
  },
  {
    id: 'pruebas',
    title: 'Pruebas',
    questions: [
      {
        name: 'testVolts',
        label: 'Voltaje en el cargador',
        ...volts,
        help: 'Lo aceptable es ±10\u00a0% del suministro.',
      },
      {
        name: 'testVoltsNG',
        label: 'Voltaje neutro a tierra',
        ...volts,
        help: 'Lo aceptable es 2\u00a0V o menos.',
      },
      {
        name: 'insulation',
        label: 'Aislamiento',
        kind: 'number',
        unit: 'MΩ',
        min: 0,
        max: 10_000,
        decimals: 1,
        measured: true,
        help: 'Lo aceptable es 1\u00a0MΩ o más.',
      },
      {
        name: 'groundOhms',
        label: 'Resistencia de tierra',
        kind: 'number',
        unit: 'Ω',
        min: 0,
        max: 1_000,
        decimals: 1,
        measured: true,
        help: 'Lo aceptable es 25\u00a0Ω o menos.',
      },
      { name: 'gfciOk', label: '¿El diferencial (GFCI) dispara al probarlo?', kind: 'yesNo', measured: true },
      {
        name: 'loadTestMinutes',
        label: 'Minutos cargando un auto',
        kind: 'number',
        unit: 'min',
        min: 0,
        max: 240,
        decimals: 0,
        measured: true,
        help: 'Mínimo 10 minutos.',
      },
      {
        name: 'loadTestAmps',
        label: 'Corriente al final',
        kind: 'number',
        unit: 'A',
        min: 0,
        max: 100,
        decimals: 1,
        measured: true,
        asked: asksReadings,
        help: 'Medida con el auto cargando.',
      },
      {
        name: 'worksDone',
        label: '¿Quedaron hechas las adecuaciones?',
        kind: 'yesNo',
        asked: ({ agreedWorks }) => typeof agreedWorks === 'string',
      },
      { name: 'notes', label: 'Notas', kind: 'lines', max: 2000, optional: () => true },
    ],
    slots: ['reading_neutral', 'reading_insulation', 'reading_ground', 'reading_differential', 'load_test'],
    when: {
      slots: ['reading_neutral', 'reading_insulation', 'reading_ground', 'reading_differential'],
      asked: asksReadings,
    },
  },
  {
    id: 'entrega',
    title: 'Entrega al cliente',
    questions: [
      { name: 'taughtUse', label: 'Le enseñé a conectar, cargar y desconectar', kind: 'tick' },
      { name: 'taughtBreaker', label: 'Le mostré su pastilla y cómo cortar la energía', kind: 'tick' },
      { name: 'taughtFaults', label: 'Sabe qué significan las luces y a quién llamar', kind: 'tick' },
      { name: 'taughtWarranty', label: 'Le expliqué su garantía', kind: 'tick' },
    ],
    slots: ['clean_area'],
  },
  {
    id: 'firmas',
    title: 'Firmas',
    questions: [{ name: 'customerName', label: 'Nombre de quien te recibió', kind: 'text', max: 80 }],
    slots: ['signature_technician', 'signature_customer'],
  },
]
