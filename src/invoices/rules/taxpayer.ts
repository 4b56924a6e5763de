import { isItsCustomer, isOffice, type Mover } from '../../access/rules/actor.ts'
import { machine, type StateFacts } from '../../shared/state-machine.ts'
import { tidy } from '../../shared/text.ts'

/** The taxpayer that an RFC names: a natural person (física), or a company founded by a deed (moral). */
type TaxpayerKind = 'fisica' | 'moral'
export const taxpayerKinds: Record<TaxpayerKind, string> = {
  fisica: 'Persona física',
  moral: 'Persona moral',
}

/** Generic RFC of customers who want no invoice of their own. */
export const publicRfc = 'XAXX010101000'

/** Generic RFC of foreign taxpayers. */
export const foreignRfc = 'XEXX010101000'

/** Whether it is a generic RFC. */
export const isGeneric = (rfc: string) => rfc === publicRfc || rfc === foreignRfc

/** Initials, a date, and two characters that distinguish equal ones, then the check digit. */
const shape = /^[A-ZÑ&]{3,4}(\d{2})(\d{2})(\d{2})[A-Z\d]{2}[\dA]$/

/** An RFC as the SAT writes it: upper case, without spaces and hyphens. */
export const normaliseRfc = (typed: unknown) =>
  tidy(typed)
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')

/** 12 characters name a moral person, 13 a física. */
export const kindOfRfc = (rfc: string): TaxpayerKind => (rfc.length === 12 ? 'moral' : 'fisica')

/** The reason why a normalised text is no RFC, in words; null for a valid one. */
export function faultOfRfc(rfc: string): string | null {
  if (rfc === '') return 'Escribe tu RFC.'
  if (rfc.length !== 12 && rfc.length !== 13) return 'El RFC tiene 13 caracteres, o 12 si es de una empresa.'
  const [, year, month, day] = shape.exec(rfc) ?? []
  if (!year) return 'Revisa tu RFC: son letras, una fecha y 3 caracteres, como GODE561231GR8.'
  return isDay(Number(year), Number(month), Number(day)) ? null : 'La fecha dentro de tu RFC no existe.'
}

/**
 * An RFC does not state the century. 2000 was a leap year and 1900 was not, so a date valid in either is valid after
 * 2000.
 */
function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(2000 + year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** The values of the SAT's Anexo 20: the position of each character. */
const values = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ'

/** The check digit of the other characters, modulo 11. A moral person's RFC counts as if a space preceded it. */
export function checkDigitOf(rfc: string): string {
  const sum = [...rfc.slice(0, -1).padStart(12)].reduce(
    (total, character, nth) => total + values.indexOf(character) * (13 - nth),
    0,
  )
  const digit = (11 - (sum % 11)) % 11
  return digit === 10 ? 'A' : String(digit)
}

/** A doubtful RFC's warning, which never blocks: about 1.5 % of the RFCs issued by the SAT have another check digit. */
export const warningOfRfc = (rfc: string): string | null =>
  isGeneric(rfc) || rfc.endsWith(checkDigitOf(rfc))
    ? null
    : 'El último carácter de este RFC no es el que esperábamos. Compáralo con la Constancia; si es igual, está bien.'

/**
 * Which taxpayer may request which invoice, by the SAT's catalogues c_RegimenFiscal and c_UsoCFDI of CFDI 4.0 (Anexo
 * 20), as published on 2026-08-06. When the SAT publishes new ones, update this file.
 */
const f: readonly TaxpayerKind[] = ['fisica']
const m: readonly TaxpayerKind[] = ['moral']
const both: readonly TaxpayerKind[] = ['fisica', 'moral']

/** Each régimen fiscal with the kind of taxpayer it is for. */
const regimeTable = {
  '601': { name: 'General de Ley Personas Morales', kinds: m },
  '603': { name: 'Personas Morales con Fines no Lucrativos', kinds: m },
  '605': { name: 'Sueldos y Salarios e Ingresos Asimilados a Salarios', kinds: f },
  '606': { name: 'Arrendamiento', kinds: f },
  '607': { name: 'Régimen de Enajenación o Adquisición de Bienes', kinds: f },
  '608': { name: 'Demás ingresos', kinds: f },
  '610': { name: 'Residentes en el Extranjero sin Establecimiento Permanente en México', kinds: both },
  '611': { name: 'Ingresos por Dividendos (socios y accionistas)', kinds: f },
  '612': { name: 'Personas Físicas con Actividades Empresariales y Profesionales', kinds: f },
  '614': { name: 'Ingresos por intereses', kinds: f },
  '615': { name: 'Régimen de los ingresos por obtención de premios', kinds: f },
  '616': { name: 'Sin obligaciones fiscales', kinds: f },
  '620': {
    name: 'Sociedades Cooperativas de Producción que optan por diferir sus ingresos',
    kinds: m,
  },
  '621': { name: 'Incorporación Fiscal', kinds: f },
  '622': { name: 'Actividades Agrícolas, Ganaderas, Silvícolas y Pesqueras', kinds: m },
  '623': { name: 'Opcional para Grupos de Sociedades', kinds: m },
  '624': { name: 'Coordinados', kinds: m },
  '625': {
    name: 'Régimen de las Actividades Empresariales con ingresos a través de Plataformas Tecnológicas',
    kinds: f,
  },
  '626': { name: 'Régimen Simplificado de Confianza', kinds: both },
} as const satisfies Record<string, { name: string; kinds: readonly TaxpayerKind[] }>

export type Regime = keyof typeof regimeTable
export const regimes: Record<Regime, { name: string; kinds: readonly TaxpayerKind[] }> = regimeTable
export const regimeCodes = Object.keys(regimes) as Regime[]

const business: readonly Regime[] = [
  ...(['601', '603', '606', '612', '620', '621', '622', '623', '624', '625', '626'] as const),
]
const returned: readonly Regime[] = [...business, '616']

/** Only natural persons have personal deductions. */
const personal: readonly Regime[] = ['605', '606', '607', '608', '611', '612', '614', '615', '625']

type UseFacts = {
  name: string
  /** The heading under which it is offered. */
  group: CfdiUseGroup
  kinds: readonly TaxpayerKind[]
  regimes: readonly Regime[]
}
export type CfdiUseGroup = 'usual' | 'expenses' | 'personal' | 'other'

const expense = (name: string): UseFacts => ({ name, group: 'expenses', kinds: both, regimes: business })
const deduction = (name: string): UseFacts => ({ name, group: 'personal', kinds: f, regimes: personal })
const anybodys = (name: string): UseFacts => ({ name, group: 'other', kinds: both, regimes: regimeCodes })

/** Each use of a CFDI with the regimes that may request it. */
const useTable = {
  G01: expense('Adquisición de mercancías'),
  G02: { ...expense('Devoluciones, descuentos o bonificaciones'), regimes: returned },
  G03: { ...expense('Gastos en general'), group: 'usual' },
  I01: expense('Construcciones'),
  I02: expense('Mobiliario y equipo de oficina por inversiones'),
  I03: expense('Equipo de transporte'),
  I04: expense('Equipo de cómputo y accesorios'),
  I05: expense('Dados, troqueles, moldes, matrices y herramental'),
  I06: expense('Comunicaciones telefónicas'),
  I07: expense('Comunicaciones satelitales'),
  I08: expense('Otra maquinaria y equipo'),
  D01: deduction('Honorarios médicos, dentales y gastos hospitalarios'),
  D02: deduction('Gastos médicos por incapacidad o discapacidad'),
  D03: deduction('Gastos funerales'),
  D04: deduction('Donativos'),
  D05: deduction('Intereses reales efectivamente pagados por créditos hipotecarios (casa habitación)'),
  D06: deduction('Aportaciones voluntarias al SAR'),
  D07: deduction('Primas por seguros de gastos médicos'),
  D08: deduction('Gastos de transportación escolar obligatoria'),
  D09: deduction('Depósitos en cuentas para el ahorro, primas que tengan como base planes de pensiones'),
  D10: deduction('Pagos por servicios educativos (colegiaturas)'),
  S01: { ...anybodys('Sin efectos fiscales'), group: 'usual' },
  CP01: anybodys('Pagos'),
  CN01: { name: 'Nómina', group: 'other', kinds: f, regimes: ['605'] },
} satisfies Record<string, UseFacts>

export type CfdiUse = keyof typeof useTable
export const cfdiUses: Record<CfdiUse, UseFacts> = useTable
export const cfdiUseCodes = Object.keys(cfdiUses) as CfdiUse[]
export const cfdiUseGroups: Record<CfdiUseGroup, string> = {
  // What nearly everybody asks for stands first.
  usual: 'Los más usados',
  expenses: 'Gastos e inversiones',
  personal: 'Deducciones personales',
  other: 'Otros',
}

/** Whether a regime is available to this kind of taxpayer. */
export const regimeFits = (regime: Regime, kind: TaxpayerKind) => regimes[regime].kinds.includes(kind)

/** Whether such a taxpayer, in that régimen, may request an invoice of that use. */
export const cfdiUseFits = (use: CfdiUse, regime: Regime, kind: TaxpayerKind) =>
  regimeFits(regime, kind) && cfdiUses[use].kinds.includes(kind) && cfdiUses[use].regimes.includes(regime)

/** "612 · Personas Físicas con Actividades Empresariales y Profesionales" */
export const regimeLabel = (regime: Regime) => `${regime} · ${regimes[regime].name}`

/** "G03 · Gastos en general" */
export const cfdiUseLabel = (use: CfdiUse) => `${use} · ${cfdiUses[use].name}`

/** What the SAT fixes for the generic RFCs; null for other RFCs. The name is null where the taxpayer's own is used. */
export function genericTerms(rfc: string): { regime: Regime; use: CfdiUse; legalName: string | null } | null {
  if (rfc === publicRfc) return { regime: '616', use: 'S01', legalName: 'PUBLICO EN GENERAL' }
  if (rfc === foreignRfc) return { regime: '616', use: 'S01', legalName: null }
  return null
}

export const fiscalStateFacts = {
  draft: { label: 'Borrador', tone: 'neutral' },
  submitted: { label: 'En revisión', tone: 'wait' },
  verified: { label: 'Verificados', tone: 'ok' },
  rejected: { label: 'Por corregir', tone: 'bad' },
} as const satisfies Record<string, StateFacts>
export type FiscalState = keyof typeof fiscalStateFacts
const fiscalStates = Object.keys(fiscalStateFacts) as FiscalState[]

/** The facts that a transition of a customer's fiscal data is judged by. */
type FiscalFacts = { state: FiscalState; customerId: string; rfc: string; hasConstancia: boolean }

/** The office reviews customers' fiscal data. */
export const reviewsFiscal = isOffice

/** A generic RFC has no Constancia. */
const withoutConstancia = (_: Mover, { hasConstancia, rfc }: FiscalFacts) =>
  hasConstancia || isGeneric(rfc) ? null : 'Para verificarlos falta la Constancia de Situación Fiscal.'

/** The life of a customer's fiscal data: each transition, the states it may leave, and who may make it. */
export const fiscalMachine = /* @__PURE__ */ machine<FiscalFacts>()(
  {
    /** Stored without being sent. */
    keep: { from: ['draft'], to: 'draft', by: isItsCustomer },
    /** Every edit after sending is reviewed again. */
    submit: { from: fiscalStates, to: 'submitted', by: isItsCustomer },
    verify: { from: ['submitted'], to: 'verified', by: reviewsFiscal, blocked: withoutConstancia },
    reject: { from: ['submitted'], to: 'rejected', by: reviewsFiscal },
  },
  (state) =>
    `Su estado es «${fiscalStateFacts[state].label}», y desde ahí no se puede. Actualiza la página para ver cómo va.`,
)
