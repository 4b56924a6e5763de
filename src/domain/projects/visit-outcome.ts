import type { SheetState } from '../reports/sheet.ts'
import type { ProjectPart, Standing } from './project.ts'

/** The report of a visit as its project stands on it: since when, and why the installation is not possible as things are. */
export type PartReport = { state: SheetState; since: Date; notViable: string | null }

/** Where a project stands after a visit whose report was sent; null before there is one, as of visits older than reports. */
export function standingAfterVisit(
  { report, state }: Pick<ProjectPart, 'report' | 'state'>,
  isCallBooked: boolean,
): Standing | null {
  if (state !== 'done' || !report) return null
  const { since } = report
  switch (report.state) {
    case 'draft':
      return null
    case 'submitted':
      return {
        ...{ stage: 'visit', waitingOn: 'analyst', since, next: null },
        line: 'Nos toca a nosotros: revisamos tu visita y te decimos qué sigue.',
      }
    case 'returned':
      return {
        ...{ stage: 'visit', waitingOn: 'technician', since, next: null },
        line: 'Le toca a tu técnico: completa el reporte de tu visita.',
      }
    case 'approved':
      return report.notViable === null ? quoting(since) : notViable(report.notViable, since, isCallBooked)
  }
}

const quoting = (since: Date): Standing => ({
  ...{ stage: 'quoting', waitingOn: 'analyst', since, next: null },
  line: 'Nos toca a nosotros: preparamos tu cotización.',
})

/** Every outcome has a next step: otherwise an analyst looks for another way with the customer. */
const notViable = (why: string, since: Date, isCallBooked: boolean): Standing => ({
  ...{ stage: 'visit', waitingOn: isCallBooked ? 'analyst' : 'customer', since },
  line: `Por ahora tu instalación no es viable: ${why}`,
  next: isCallBooked
    ? { label: 'Ver mi asesoría', to: '/videocall' }
    : { label: 'Hablar con un analista', to: '/agenda-videocall' },
})

/** Where a project stands after an installation whose record is not approved: nothing is handed over or asked for before. Null where it is, or there is none. */
export function standingBeforeHandOver({ report }: Pick<ProjectPart, 'report'>): Standing | null {
  if (!report || report.state === 'approved') return null
  const isReturned = report.state === 'returned'
  return {
    ...{
      stage: 'installing',
      waitingOn: isReturned ? 'technician' : 'analyst',
      since: report.since,
      next: null,
    },
    line: isReturned
      ? 'Le toca a tu técnico: completa el registro de tu instalación.'
      : 'Nos toca a nosotros: revisamos tu instalación para entregarte tu documento y tu garantía.',
  }
}
