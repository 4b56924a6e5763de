import type { NextStep } from '../../domain/project.ts'
import type { Service } from '../../domain/services.ts'

/** Where each service is booked, and the words of the link that leads there. */
export const agendaOf: Record<Service, NextStep> = {
  technical_visit: { to: '/agenda-technics-visit', label: 'Agendar visita' },
  installation: { to: '/agenda-installation', label: 'Agendar instalación' },
  videocall: { to: '/agenda-videocall', label: 'Agendar asesoría' },
}

/** Where what is booked of each service is seen. */
export const pageOf: Record<Service, string> = {
  technical_visit: '/technics-visit',
  installation: '/installation',
  videocall: '/videocall',
}
