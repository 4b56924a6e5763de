import { phone } from './sizes.ts'

/**
 * A screen in its usual state. `{name}` in the address stands for an id of the demo data (`ids`). `sends`: the button that
 * sends its form with something missing. `opens`: the button of its dialog. `rival`: the field that another window saves
 * while it is being filled in here.
 */
export type Row = { at: string; sends?: string; opens?: string; rival?: string }
/** Who looks at which screens, by e-mail of the demo data, in which window. */
export type Role = {
  people: readonly (readonly [email: string | null, rows: readonly Row[]])[]
  window?: typeof phone
  isOnSite?: true
}
const plain = (...paths: string[]): Row[] => paths.map((at) => ({ at }))

const visitor: readonly Row[] = [
  { at: '/signin', sends: 'Iniciar sesión' },
  { at: '/signup', sends: 'Crear cuenta' },
  { at: '/recover-password', sends: 'Enviar enlace' },
  ...plain('/approach?cp=03100&codigo=ABC234', '/approach?cp=52140&metros=x', '/approach?cp=52140&mio=si'),
  ...plain('/recover-password?enviado', '/recover-password?mode=resetPassword&oobCode=x'),
  ...plain('/recover-password?mode=verifyEmail&oobCode=x', '/signup?invitacion=nada'),
  ...plain('/api/v1', '/dev/correo', '/visita/nada', '/garantia/{proof}', '/nada'),
]

const customers: Readonly<Record<string, readonly Row[]>> = {
  'nuevo@demo.mx': [{ at: '/completion', sends: 'Guardar' }],
  'cliente@demo.mx': [
    { at: '/', opens: 'Abrir el menú' },
    ...plain('/address'),
    { at: '/address?editar', rival: 'Entre calles' },
    { at: '/agenda-technics-visit', sends: 'Agendar visita' },
    { at: '/agenda-videocall', sends: 'Agendar asesoría' },
    { at: '/fiscal', sends: 'Enviar a revisión' },
    ...plain('/cuenta', '/ayuda', '/technics-visit', '/payments', '/installation', '/videocall', '/quote'),
  ],
  'cliente2@demo.mx': plain('/', '/technics-visit', '/address'),
  'cliente3@demo.mx': plain('/', '/installation', '/agenda-installation'),
  'cliente4@demo.mx': [{ at: '/quote', opens: 'Revisar y aceptar' }],
  'cliente5@demo.mx': plain('/payments'),
  'cesar.luna@demo.mx': plain('/technics-visit', '/installation'),
}

/** On site: read in the sun and touched with a glove: larger, and of more contrast. */
const onSite: Readonly<Record<string, readonly Row[]>> = {
  'tecnico@demo.mx': [
    { at: '/admin', opens: 'Más' },
    { at: '/admin/account', sends: 'Pedir permiso' },
    ...plain('/admin/appointments-pending', '/admin/appointments-done'),
    ...['', 'lugar', 'tablero', 'cargas', 'ruta', 'calculo', 'firmas'].map((section) => ({
      at: `/admin/appointments-pending/{ownVisit}?seccion=${section}`,
    })),
  ],
  'tecnico2@demo.mx': [
    ...['', 'canalizacion', 'pruebas'].map((section) => ({
      at: `/admin/appointments-pending/{ownInstallation}?seccion=${section}`,
    })),
    ...plain('/admin/appointments-done/{installed}'),
  ],
}

const agency = '/admin/agency/{agency}'
const settings = '/admin/account/configuracion'
const quote = '/admin/cotizations/detail-quote/{quote}'

const office: Readonly<Record<string, readonly Row[]>> = {
  lists: [
    ...plain('/admin', '/admin/ayuda', '/admin/buscar?q=carlos', '/admin/deshacer', '/admin/cifras'),
    ...plain('/admin/vistas', '/admin/appointments-pending', '/admin/appointments-done?state=cancelled'),
    ...plain('/admin/cotizations', '/admin/clients', '/admin/clients?parte=llamar'),
    ...plain('/admin/payments', '/admin/payments/cobrar', '/admin/payments/libro', '/admin/payments/banco'),
    ...plain('/admin/gesties', '/admin/gesties/{case}', '/admin/agencies', '/admin/users/bloqueadas'),
    { at: '/admin/users?role=staff', opens: 'Invitar' },
  ],
  'appointments and quotes': [
    ...plain('/admin/assignations', '/admin/assignations?vista=semana', '/admin/assignations?mapa=todos'),
    { at: '/admin/assignations/nueva?q=nadie@example.mx', sends: 'Registrar y elegir hora' },
    ...plain('/admin/assignations/nueva?cliente={customer}&servicio=videocall'),
    ...plain('/admin/assignations/ausencia?persona={technician}', '/admin/assignations/plan'),
    ...plain('/admin/assignations/{requested}', '/admin/assignations/{requested}/mover'),
    ...plain('/admin/appointments-pending/{requested}', '/admin/appointments-done/{cancelled}'),
    ...plain('/admin/appointment-pending-videocall/{call}', '/admin/appointment-done-videocall/{pastCall}'),
    ...plain(quote, `${quote}?parte=cuenta`, `${quote}?parte=fiscal`, `${quote}?parte=historial`),
    ...plain('/admin/cotizations/cobros/{project}'),
  ],
  'people and settings': [
    ...plain('/admin/users/{technician}', '/admin/users/{customer}', '/admin/users/{customer}/cliente'),
    ...plain('/admin/users/{customer}/cliente/domicilio', '/admin/users/{customer}/cliente/unir'),
    ...plain('/admin/users/{customer}/cliente/unir?otra={otherCustomer}'),
    { at: '/admin/agencies/add', sends: 'Registrar concesionaria' },
    ...plain(
      agency,
      `${agency}/codigos`,
      `${agency}/clientes`,
      `${agency}/comisiones`,
      `${agency}/integracion`,
    ),
    { at: `${agency}/datos`, opens: 'Desactivar' },
    ...plain(
      '/admin/account',
      '/admin/account/seguridad',
      settings,
      `${settings}/festivos`,
      `${settings}/traslados`,
    ),
    ...plain(`${settings}/horario`, `${settings}/catalogo`, `${settings}/catalogo/{item}`),
  ],
}

const others: Readonly<Record<string, readonly Row[]>> = {
  'analista@demo.mx': [
    ...plain('/admin', '/admin/appointments-done/{submitted}'),
    { at: '/admin/cotizations/add-quote/{quotable}', rival: 'Notas para el cliente' },
  ],
  'gestor@demo.mx': plain('/admin', '/admin/gesties?turn=gester', '/admin/gesties/{case}'),
  'aliado@demo.mx': [
    ...plain('/admin', '/admin/alliate/clients', '/admin/alliate/clients/{client}', '/admin/users'),
    { at: '/admin/alliate/codes', opens: 'Nuevo código' },
    { at: '/admin/alliate/clients/registrar', sends: 'Registrar y crear enlace' },
  ],
}

const manager = 'gerente@demo.mx'
/** Every screen, by who opens it. */
export const everybody: Readonly<Record<string, Role>> = {
  'a visitor': { people: [[null, visitor]], window: phone },
  'a customer': { people: Object.entries(customers), window: phone },
  'a technician on site': { people: Object.entries(onSite), window: phone, isOnSite: true },
  ...Object.fromEntries(
    Object.entries(office).map(([what, rows]) => [`a manager at ${what}`, { people: [[manager, rows]] }]),
  ),
  'an analyst, a gester or an ally': { people: Object.entries(others) },
}
