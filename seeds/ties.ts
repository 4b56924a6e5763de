import type { ClientSource } from '../src/domain/agencies/clients.ts'

/** A customer's attribution to the demo agency: its source, its code, and the manager's reason. */
export type DemoTie = { source: ClientSource; ally: 0 | 1; code?: string; reason?: string }

/** By the customer's position in the list: the clients of the demo agency, at every stage of its customers. */
export const demoTies: ReadonlyMap<number, DemoTie> = new Map<number, DemoTie>([
  // Waits for the manager, with a free visit.
  [0, { source: 'link', ally: 1, code: 'VENTAS33' }],
  // The visit is assigned.
  [2, { source: 'code', ally: 0, code: 'PRUEBA22' }],
  // Ready to book the installation.
  [8, { source: 'counter', ally: 1 }],
  // The installation is booked.
  [9, { source: 'link', ally: 1, code: 'VERANA24' }],
  // Installed, the first of them long ago.
  [27, { source: 'code', ally: 1, code: 'PAUSA44' }],
  [21, { source: 'code', ally: 0, code: 'PRE25AUT' }],
  [17, { source: 'link', ally: 0, code: 'PRE25AUT' }],
  [13, { source: 'counter', ally: 0 }],
  [11, { source: 'manager', ally: 1, reason: 'Compró su auto en la concesionaria y lo contó por teléfono.' }],
  [43, { source: 'link', ally: 0, code: 'PRUEBA22' }],
  // Received a quote that shows the code's discount.
  [38, { source: 'code', ally: 0, code: 'PRUEBA22' }],
  // The deposit's proof waits for the review.
  [40, { source: 'api', ally: 0, code: 'PRUEBA22' }],
])

/** A client whom an ally registered and who has no account yet; days before today. */
export type DemoInvited = {
  name: string
  lastname: string
  phone: string
  vehicle: { brand: string; model: string; year: number } | null
  source: 'counter' | 'api'
  ally: 0 | 1
  days: number
}

export const demoInvited: readonly DemoInvited[] = [
  {
    name: 'Abril',
    lastname: 'Tovar Demo',
    phone: '5555550301',
    source: 'counter',
    ally: 0,
    days: -1,
    vehicle: { brand: 'Marca Ejemplo', model: 'Modelo E', year: 2026 },
  },
  {
    name: 'Benito',
    lastname: 'Ríos Demo',
    phone: '5555550302',
    source: 'counter',
    ally: 1,
    days: -6,
    vehicle: null,
  },
  {
    name: 'Citlali',
    lastname: 'Mora Demo',
    phone: '5555550303',
    source: 'api',
    ally: 0,
    days: -13,
    vehicle: { brand: 'Marca Ejemplo', model: 'Modelo S', year: 2025 },
  },
]
