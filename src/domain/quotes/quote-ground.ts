import { type AppointmentState, stateFacts } from '../appointments/appointment.ts'
import type { Service } from '../appointments/services.ts'
import { type SheetState, sheetStateFacts } from '../reports/sheet.ts'
import type { QuoteKind } from './quote.ts'

/** What a quote stands on: a visit with its report, or an installation under way. */
export type GroundFacts = {
  service: Service
  state: AppointmentState
  /** Of a visit; null where there is none. */
  report: SheetState | null
  isViable: boolean
  isProjectClosed: boolean
}

/** Which kind of quote is made from an appointment; a call leads to none. */
export const quoteKindFrom: Record<Service, QuoteKind | null> = {
  technical_visit: 'installation',
  installation: 'extra_work',
  videocall: null,
}

const underWay: readonly AppointmentState[] = ['assigned', 'en_route', 'in_progress', 'paused']

/** Why no quote can be written from an appointment now, in words for the office; null when one can. */
export function whyNoQuote({
  isProjectClosed,
  isViable,
  report,
  service,
  state,
}: GroundFacts): string | null {
  if (isProjectClosed) return 'Este proyecto ya está cerrado.'
  if (service === 'installation')
    return underWay.includes(state)
      ? null
      : `El trabajo adicional se cotiza mientras la instalación está por hacerse o en curso. Su estado es «${stateFacts[state].label}».`
  if (state !== 'done') return `La visita todavía no se realiza: su estado es «${stateFacts[state].label}».`
  if (report === null) return 'Esta visita no tiene reporte, y la cotización sale de él.'
  if (report !== 'approved')
    return `Primero hay que aprobar el reporte de la visita: su estado es «${sheetStateFacts[report].label}».`
  if (!isViable) return 'El reporte dice que la instalación no es viable. Si algo cambió, corrígelo antes.'
  return null
}
