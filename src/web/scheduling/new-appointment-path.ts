import type { Service } from '../../domain/appointments/appointment.ts'

export const newAppointmentPath = '/admin/assignations/nueva'

/** Where a service is booked for a customer who calls; with what is chosen so far. */
export const forCaller = (customerId: string, service: Service = 'technical_visit', chosen: object = {}) =>
  `${newAppointmentPath}?${new URLSearchParams({ cliente: customerId, servicio: service, ...chosen })}`
