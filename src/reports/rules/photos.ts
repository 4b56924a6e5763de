import { type Actor, isTechnician } from '../../access/rules/actor.ts'
import type { Service } from '../../appointments/rules/appointment.ts'
import { type SheetKind, sheetKindOf } from './report.ts'

type SlotFacts = { label: string; legible: string }

/** The photos of a visit report, each with what must be legible in it. */
const visitPhotos = {
  facade: { label: 'Fachada', legible: 'La entrada y el número de la casa.' },
  meter: { label: 'Medidor de CFE', legible: 'El número del medidor.' },
  service_entrance: { label: 'Acometida', legible: 'El cable de CFE hasta el medidor.' },
  pole: { label: 'Poste más cercano', legible: 'El poste entero, con la casa al fondo.' },
  panel_closed: { label: 'Tablero cerrado', legible: 'La marca y el lugar donde está.' },
  panel_open: { label: 'Tablero abierto', legible: 'Todas las pastillas y los espacios libres.' },
  main_breaker: { label: 'Pastilla principal', legible: 'Los amperes grabados.' },
  feeder: { label: 'Alimentador', legible: 'El cable que llega al tablero, con su calibre.' },
  charger_place: { label: 'Lugar del cargador', legible: 'La pared completa, del piso al techo.' },
  route_1: { label: 'Recorrido: salida del tablero', legible: 'Por dónde sale el cable del tablero.' },
  route_2: { label: 'Recorrido: llegada al cargador', legible: 'Por dónde llega el cable al cargador.' },
  parking: { label: 'Cajón de estacionamiento', legible: 'El cajón y la distancia a la pared.' },
  cfe_bill: { label: 'Recibo de CFE', legible: 'El número de servicio y la tarifa.' },
} as const satisfies Record<string, SlotFacts>

const extraPhotos = Object.fromEntries(
  [1, 2, 3, 4, 5, 6].map((nth) => [
    `extra_${nth}`,
    { label: `Foto adicional ${nth}`, legible: 'Lo que quieras mostrar.' },
  ]),
) as Record<`extra_${1 | 2 | 3 | 4 | 5 | 6}`, SlotFacts>

/** The photos of an installation record. */
const installationPhotos = {
  before: { label: 'Antes de empezar', legible: 'El lugar como lo encontraste.' },
  route: { label: 'Ruta del cable', legible: 'Todo el camino, del tablero al cargador.' },
  conduit: { label: 'Tubería', legible: 'Las uniones y las abrazaderas.' },
  panel_open: { label: 'Tablero abierto', legible: 'La pastilla nueva y sus cables.' },
  breaker_label: { label: 'Etiqueta de la pastilla', legible: 'Los amperes y el letrero «Cargador».' },
  charger_mounted: { label: 'Cargador montado', legible: 'El cargador y su cable, de frente.' },
  serial_number: { label: 'Número de serie', legible: 'La placa con la serie, completa.' },
  limit_setting: {
    label: 'Ajuste de corriente',
    legible: 'El interruptor, la clave o la perilla en su posición.',
  },
  limit_label: {
    label: 'Etiqueta del límite',
    legible: 'La etiqueta «Ajustado a __ A — no cambiar sin revisar la instalación».',
  },
  reading_neutral: { label: 'Lectura neutro a tierra', legible: 'La pantalla del multímetro.' },
  reading_insulation: { label: 'Lectura de aislamiento', legible: 'La pantalla del megóhmetro.' },
  reading_ground: { label: 'Lectura de tierra', legible: 'La pantalla del telurómetro.' },
  reading_differential: {
    label: 'Prueba del diferencial',
    legible: 'El probador o el botón, con el diferencial disparado.',
  },
  load_test: { label: 'Prueba de carga', legible: 'El auto cargando y la pantalla o luz.' },
  clean_area: { label: 'Área limpia', legible: 'El lugar como lo dejas.' },
} as const satisfies Record<string, SlotFacts>

const signatures = {
  signature_technician: { label: 'Firma del técnico', legible: 'Tu firma.' },
  signature_customer: { label: 'Firma de quien recibe', legible: 'La firma de quien te recibió.' },
} as const satisfies Record<string, SlotFacts>

const faultPhotos = Object.fromEntries(
  [1, 2, 3, 4].map((nth) => [`fault_${nth}`, { label: `Foto de la falla ${nth}`, legible: 'Lo que falla.' }]),
) as Record<`fault_${1 | 2 | 3 | 4}`, SlotFacts>

/** Evidence that staff was on site and the customer was absent. */
export const noShowSlot = 'no_show_facade'
const others = {
  [noShowSlot]: { label: 'Fachada', legible: 'La entrada y el número de la casa.' },
} as const satisfies Record<string, SlotFacts>

/** The slots of each report, in the order they are asked. */
export const slotsOf: Record<SheetKind, readonly string[]> = {
  visit: [...Object.keys(visitPhotos), ...Object.keys(extraPhotos), ...Object.keys(signatures)],
  installation: [...Object.keys(installationPhotos), ...Object.keys(signatures)],
}
export const faultSlots: readonly string[] = Object.keys(faultPhotos)
export const extraSlots: readonly string[] = Object.keys(extraPhotos)
export const signatureSlots: readonly string[] = Object.keys(signatures)
/** Drawn or signed, not photographed: its size and brightness are not checked. */
export const isSignature = (slot: string) => signatureSlots.includes(slot)

const tables: Record<SheetKind, Record<string, SlotFacts>> = {
  visit: { ...visitPhotos, ...extraPhotos, ...signatures, ...faultPhotos, ...others },
  installation: { ...installationPhotos, ...signatures, ...faultPhotos, ...others },
}

/** The label of a slot and what must be legible in it; null for a slot that this kind does not have. */
export const slotFacts = (kind: SheetKind, slot: string): SlotFacts | null =>
  Object.hasOwn(tables[kind], slot) ? (tables[kind][slot] ?? null) : null

/** Why a picture is refused that is already in another slot. */
export const samePictureWords = (kind: SheetKind, twin: string) =>
  `Es la misma foto que «${slotFacts(kind, twin)?.label ?? twin}». Toma otra: cada una muestra algo distinto.`

/** Whether a no-show must be proved by a photo: by the assignee, but not by the manager or in a call. */
export const asksFacade = (actor: Pick<Actor, 'kind'>, service: Service) =>
  isTechnician(actor) && sheetKindOf[service] !== null

/** The shortest long side of a photo, in pixels. */
export const shortestLongSide = 1280
/** The largest uploaded file, in bytes. */
export const largestFile = 12 * 1024 * 1024
/** Said of a larger one that this phone can't make smaller. */
export const tooLargeWords =
  'Esta foto pesa más de 12\u00a0MB. Tómala con menos resolución o en formato JPEG.'
